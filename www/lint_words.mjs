// A lint of our own: a text that a user reads comes from the catalogue of messages (src/base/messages.ts) and not from a literal.

/** Keys and attributes whose values are for the machine. */
const MACHINE_KEYS = new Set(
  'class id type role name key code command with for scope cursor kind aria-keyshortcuts aria-describedby aria-controls aria-labelledby autocomplete textBaseline textAlign preserveAspectRatio font'.split(
    ' ',
  ),
);
/** Calls whose texts are for the machine. */
const MACHINE_CALLS = new Set(
  'say querySelector querySelectorAll closest matches matchMedia getElementById setAttribute getAttribute removeAttribute addEventListener setProperty add remove toggle contains includes createElementNS getContext get Error RegExp mark'.split(
    ' ',
  ),
);
/** Attributes that are read aloud or shown, though they are set by a call. */
const TEXT_ATTRIBUTES = new Set(['aria-label', 'aria-valuetext', 'aria-roledescription', 'title', 'placeholder', 'alt']);

/** Names in code, units, our own name, and what begins as HTML or a media query does. */
const isCode = (text) => /^[A-Z][a-z]+[A-Z0-9]\w*$|^ ?(px|ms|UTC|Steplens)$|^ · Steplens$|^\s*[<(]/.test(text);

/** Two words, or one that begins like a sentence. */
const isEnglish = (text) => !isCode(text) && /[A-Za-z]{2,}[,.:;]? [a-z(]{1,}|^ ?[A-Z][a-z]+|^ ?[a-z]{2,} $|^ [a-z]{2,}/.test(text);

const nameOf = (node) => (node?.type === 'Identifier' ? node.name : node?.type === 'Literal' ? String(node.value) : '');

function isForMachine(node) {
  const { parent } = node;
  switch (parent.type) {
    case 'ImportDeclaration':
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
    case 'TSLiteralType':
    case 'SwitchCase':
    case 'MemberExpression':
    case 'TSEnumMember':
      return true;
    case 'BinaryExpression':
      return parent.operator !== '+' || isForMachine(parent);
    case 'Property':
      return parent.key === node || MACHINE_KEYS.has(nameOf(parent.key));
    case 'CallExpression':
    case 'NewExpression': {
      const called = nameOf(parent.callee.type === 'MemberExpression' ? parent.callee.property : parent.callee);
      const [first] = parent.arguments;
      if (called === 'setAttribute' && node !== first) return !TEXT_ATTRIBUTES.has(nameOf(first));
      return MACHINE_CALLS.has(called);
    }
    case 'ConditionalExpression':
    case 'LogicalExpression':
    case 'TemplateLiteral':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'ArrayExpression':
      return isForMachine(parent);
    default:
      return false;
  }
}

export const textFromCatalogue = {
  meta: { type: 'problem', schema: [] },
  create(context) {
    const check = (node, text) => {
      if (isEnglish(text) && !isForMachine(node))
        context.report({
          node,
          message:
            'A text that a user reads comes from the catalogue: say(id), with the text in crates/steplens-messages/languages/en/page.ftl.',
        });
    };
    return {
      Literal: (node) => {
        if (typeof node.value === 'string') check(node, node.value);
      },
      TemplateLiteral: (node) => {
        for (const { value } of node.quasis) check(node, value.cooked ?? '');
      },
    };
  },
};

/** What English puts between two parts of a text. */
const isJoint = (text) => /^[,;:.] $/.test(text);

/** Texts are put together by messages (src/base/joined.ts): other languages have other signs between their parts. */
export const joinedByMessages = {
  meta: { type: 'problem', schema: [] },
  create(context) {
    const report = (node) => context.report({ node, message: 'Parts of a text are joined by a message: see src/base/joined.ts.' });
    return {
      CallExpression: (node) => {
        const [separator] = node.arguments;
        if (nameOf(node.callee.property) === 'join' && separator?.type === 'Literal' && isJoint(String(separator.value))) report(separator);
      },
      TemplateLiteral: (node) => {
        for (const { value } of node.quasis.slice(1, -1)) if (isJoint(value.cooked ?? '')) report(node);
      },
    };
  },
};
