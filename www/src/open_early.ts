// The script inside open.html: the texts of the reader's language come before the page's own script, which makes its own as it is loaded.
import { wantedLanguage } from './base/language';

const language = wantedLanguage();
if (language !== 'en') document.write(`<script src="${language}.js"></script>`);
