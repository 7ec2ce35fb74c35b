// The texts of the later part of the page. Where everything is one file they are among the others, and none are here.
import english from 'steplens-messages/later';
import { addTexts } from './messages';

addTexts(english);
