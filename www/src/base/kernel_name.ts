// Short names of kernels: C++ signatures of hundreds of letters, of which few tell one kernel from another.
//
// crates/steplens-report/src/kernels/name.rs does the same; both are tested by tests/golden/kernel_names.json.

/* eslint-disable words/from-catalogue, words/joined -- C++ */

/** How deep template arguments are shown, and how many of a template. */
const MOST_DEPTH = 3;
const MOST_ARGUMENTS = 2;
/** Signatures that are nested deeper than this are shown as they are. */
const MOST_NESTING = 64;
/** Templates that hold only how elements lie or are loaded. */
const LAYOUTS = new Set([
  'Array',
  'GpuDevice',
  'LoadWithCast',
  'LoadWithoutCast',
  'OffsetCalculator',
  'StoreWithCast',
  'StoreWithoutCast',
  'TensorMap',
  'TrivialOffsetCalculator',
  'array',
]);
/** Templates that only wrap another one. */
const WRAPPERS = new Set(['TensorAssignOp', 'TensorEvaluator']);
const PATH = /^[A-Za-z_][A-Za-z0-9_$]*(?:::[A-Za-z_][A-Za-z0-9_$]*)*$/;
const CLOSES: Readonly<Record<string, string>> = { '<': '>', '(': ')', '{': '}' };
/** No trace has as many names of kernels; one that has gets them folded again. */
const MOST_KNOWN = 20_000;
const known = new Map<string, string>();

/**
 * A kernel's name without return type, namespaces, numbers and arguments: `vectorized_elementwise_kernel<CUDAFunctor_add<float>>` for
 * `void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>, ...>(int, ...)`. Other names stay.
 */
export function kernelLabel(name: string): string {
  // Frames ask for the same names again and again.
  const before = known.get(name);
  if (before !== undefined) return before;
  if (!/[<(]|^void /.test(name)) return name;
  if (known.size >= MOST_KNOWN) known.clear();
  const label = labelOf(name);
  known.set(name, label);
  return label;
}

function labelOf(name: string): string {
  const plain = withoutCondition(name.replaceAll('(anonymous namespace)::', '').replaceAll('<unnamed>::', '').replaceAll('->', ''));
  if (!isSignature(plain)) return name;
  const end = closing(plain);
  if (end === null) return name;
  return (end === '' ? folded(plain, MOST_DEPTH) : foldedCut(plain)) ?? name;
}

/** With `void` for a return type that is a condition, whose `>` are no brackets. */
function withoutCondition(name: string): string {
  const end = name.startsWith('std::enable_if<') ? name.indexOf('>::type ') : -1;
  return end < 0 ? name : `void ${name.slice(end + '>::type '.length)}`;
}

/** The short form of a name that was cut, up to the last word that is whole. */
function foldedCut(name: string): string | null {
  const at = Math.max(name.lastIndexOf(','), name.lastIndexOf('<'), name.lastIndexOf('('));
  if (at < 0) return null;
  const whole = name.slice(0, at);
  const end = closing(whole);
  const short = end === null ? null : folded(whole + end, MOST_DEPTH);
  return short === null ? null : `${short}…`;
}

/** Whether it is a C++ function with its template arguments or parameters: `void a::b<int>(float*)`, `ncclKernel(ncclWork)`. */
function isSignature(name: string): boolean {
  const returns = name.startsWith('void ');
  const path = returns ? name.slice('void '.length) : name;
  const open = path.search(/[<(]/);
  if (open < 0) return returns && PATH.test(path);
  const start = path.slice(0, open);
  const rest = path.slice(open);
  const has_types = rest.startsWith('<') || /[*<&]|::/.test(rest) || start.startsWith('nccl');
  return PATH.test(start) && (returns || (has_types && endsWhole(rest)));
}

/** Whether the brackets close at its end: `jit(f)/add` goes on behind them. */
const endsWhole = (rest: string): boolean => /[>)]$/.test(rest) && closing(rest) === '' && pieces(rest, '/').length === 1;

/** The brackets that are lacking at its end: names that were cut lack some. Null where others do not match, or are nested too deep. */
function closing(text: string): string | null {
  const open: string[] = [];
  for (const letter of text) {
    const close = CLOSES[letter];
    if (close !== undefined) {
      if (open.length === MOST_NESTING) return null;
      open.push(close);
    } else if ((letter === '>' || letter === ')' || letter === '}') && open.pop() !== letter) return null;
  }
  return open.reverse().join('');
}

/** The short form of a function or a type; null for what tells nothing, such as a number. */
function folded(given: string, depth: number): string | null {
  let text = given.trim();
  if (text.endsWith('const')) text = text.slice(0, -'const'.length).trimEnd();
  if (text.startsWith('void ')) text = text.slice('void '.length);
  if (/^[0-9\-(&']/.test(text) || ['', 'true', 'false', 'void'].includes(text)) return null;
  const part = toldPart(text);
  const open = part.search(/[<(]/);
  const name = (open < 0 ? part : part.slice(0, open)).trim();
  const rest = open < 0 ? '' : part.slice(open);
  if (LAYOUTS.has(name)) return null;
  const within = rest.startsWith('<') ? pieces(upToEnd(rest.slice(1)), ',') : [''];
  if (WRAPPERS.has(name)) return firstOf(within, 1, depth)[0] ?? null;
  const suffix = rest === '' ? '' : (/[*& ]*$/.exec(text)?.[0] ?? '').trim();
  const shown = depth > 1 ? firstOf(within, MOST_ARGUMENTS, depth - 1) : [];
  return shown.length === 0 ? name + suffix : `${name}<${shown.join(', ')}>${suffix}`;
}

/** The first of the arguments that tell something. */
function firstOf(parts: readonly string[], most: number, depth: number): string[] {
  const found: string[] = [];
  for (const part of parts) {
    const short = folded(part, depth);
    if (short !== null) found.push(short);
    if (found.length === most) break;
  }
  return found;
}

/** The last part of a path that has a name of its own: `copy(X&)` of `at::copy(X&)::{lambda()#3}::operator()`. */
function toldPart(path: string): string {
  const parts = pieces(path, '::');
  const named = parts.filter(
    (part) => /^[A-Za-z_]/.test(part) && !part.startsWith('operator') && !['type', 'value', 'Params'].includes(part),
  );
  return named.at(-1) ?? parts.at(-1) ?? path;
}

/** The parts between separators that are in no brackets. */
function pieces(text: string, separator: string): string[] {
  const found: string[] = [];
  let start = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at]!;
    if (CLOSES[letter] !== undefined) depth += 1;
    else if (letter === '>' || letter === ')' || letter === '}') depth = Math.max(depth - 1, 0);
    else if (depth === 0 && at >= start && text.startsWith(separator, at)) {
      found.push(text.slice(start, at).trim());
      start = at + separator.length;
    }
  }
  found.push(text.slice(start).trim());
  return found;
}

/** What is before the bracket that closes. */
function upToEnd(text: string): string {
  let depth = 1;
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at]!;
    if (CLOSES[letter] !== undefined) depth += 1;
    else if (letter === '>' || letter === ')' || letter === '}') depth -= 1;
    if (depth === 0) return text.slice(0, at);
  }
  return text;
}
