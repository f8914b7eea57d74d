// Splits a file into the pieces that `lint:words` reads: names, comments, texts and test titles.
import ts from 'typescript';

/**
 * `name`: an identifier where it is declared, a class, an id or a variable of CSS, a class or an id of HTML, or code in
 * backticks. `title`: the title of a test.
 * `text`: a string, a template, JSX text, or prose of Markdown and HTML.
 * @typedef {'name' | 'comment' | 'text' | 'title'} Kind
 * @typedef {{ kind: Kind, text: string, line: number }} Piece
 */

/**
 * Returns the pieces of a file, unordered. The path selects the reader.
 * @param {string} path Relative to the root, with slashes.
 * @param {string} text
 * @returns {Piece[]}
 */
export function readPieces(path, text) {
  const lineAt = lineFinder(text);
  /** @type {Piece[]} */
  const pieces = [];
  /** @type {Add} */
  const add = (kind, found, offset) => void pieces.push({ kind, text: found, line: lineAt(offset) });
  readerOf(path)?.(text, add, 0, path);
  // Code in backticks is read as names, so an old name that a comment or page quotes is found, too.
  for (const { kind, text: prose, line } of pieces)
    if (kind !== 'name')
      for (const { 0: code, index } of prose.matchAll(/`[^`\n]+`/g))
        pieces.push({
          kind: 'name',
          text: code.slice(1, -1),
          line: line + prose.slice(0, index).split('\n').length - 1,
        });
  return pieces;
}

/** @typedef {(kind: Kind, text: string, offset: number) => void} Add */

/**
 * Adds the pieces of a text that begins at `offset`.
 * @typedef {(text: string, add: Add, offset: number, path: string) => void} Reader
 */

/** @type {[files: RegExp, reader: Reader][]} */
const readers = [
  [/\.[cm]?[jt]sx?$/, readScript],
  [/\.md$|\.txt$/, (text, add, offset) => add('text', text, offset)],
  [/\.css$/, readStyle],
  [/\.(html|svelte|vue|svg)$/, readMarkup],
  [/\.jsonc?$/, readJson],
  [/\.ya?ml$|(^|\/)\.gitignore$|^\.ci\//, readHashComments],
  // Only the prose above the diff: the context lines below it are read in their sources.
  [/\.patch$/, (text, add, offset) => add('comment', text.slice(0, text.search(/^diff --git /m)), offset)],
];

/** @param {string} path */
function readerOf(path) {
  return readers.find(([files]) => files.test(path))?.[1];
}

/**
 * Returns true if there is a reader for files of this name.
 * @param {string} path
 */
export function isReadable(path) {
  return readerOf(path) !== undefined;
}

/** @type {Reader} */
function readScript(text, add, start, path) {
  const kind = path.endsWith('.tsx')
    ? ts.ScriptKind.TSX
    : /\.[mc]?ts$/.test(path)
      ? ts.ScriptKind.TS
      : ts.ScriptKind.JSX;
  const file = ts.createSourceFile('', text, ts.ScriptTarget.Latest, false, kind);
  /** No comment begins inside these. @type {[from: number, to: number][]} */
  const literals = [];

  /** @param {ts.Node} node */
  const visit = (node) => {
    const name = declaredName(node);
    if (name) add('name', name.text, start + name.getStart(file));
    if (ts.isStringLiteral(node) || isTemplatePart(node) || ts.isJsxText(node)) {
      const from = ts.isJsxText(node) ? node.pos : node.getStart(file) + 1;
      const to = ts.isJsxText(node) ? node.end : node.end - 1;
      literals.push([from, to]);
      // Raw, because an escaped line break is no line of the file.
      add(titles.has(node) ? 'title' : 'text', text.slice(from, to), start + from);
    } else if (ts.isRegularExpressionLiteral(node)) {
      literals.push([node.getStart(file), node.end]);
    } else if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) {
      // The imported path is not read here, but as the name of the imported file.
      if (node.moduleSpecifier) literals.push([node.moduleSpecifier.getStart(file), node.moduleSpecifier.end]);
      ts.forEachChild(node, (child) => (child === node.moduleSpecifier ? undefined : visit(child)));
      return;
    } else if (ts.isCallExpression(node) && testFunction(node.expression)) {
      const [title] = node.arguments;
      if (title) titles.add(title);
    }
    ts.forEachChild(node, visit);
  };
  /** @type {Set<ts.Node>} */
  const titles = new Set();
  visit(file);

  let end = 0;
  for (const [from, to] of literals.toSorted((a, b) => a[0] - b[0])) {
    readComments(text.slice(end, from), add, start + end);
    end = to;
  }
  readComments(text.slice(end), add, start + end);
}

/** @param {ts.Node} node @returns {node is ts.TemplateLiteralLikeNode} */
function isTemplatePart(node) {
  return (
    ts.isNoSubstitutionTemplateLiteral(node) ||
    ts.isTemplateHead(node) ||
    ts.isTemplateMiddle(node) ||
    ts.isTemplateTail(node)
  );
}

/**
 * Returns the name that a node declares. Uses are not read: they repeat the declaration, or name parts of libraries.
 * @param {ts.Node} node
 */
function declaredName(node) {
  if (ts.isImportSpecifier(node) || ts.isExportSpecifier(node)) return node.propertyName && identifier(node.name);
  if (
    ts.isVariableDeclaration(node) ||
    ts.isParameter(node) ||
    ts.isBindingElement(node) ||
    ts.isFunctionLike(node) ||
    ts.isClassLike(node) ||
    ts.isTypeElement(node) ||
    ts.isPropertyDeclaration(node) ||
    ts.isPropertyAssignment(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isEnumDeclaration(node) ||
    ts.isEnumMember(node) ||
    ts.isTypeParameterDeclaration(node) ||
    ts.isNamespaceImport(node) ||
    ts.isImportClause(node)
  )
    return identifier(node.name);
  return undefined;
}

/** @param {ts.Node | undefined} name */
function identifier(name) {
  return name && (ts.isIdentifier(name) || ts.isPrivateIdentifier(name)) ? name : undefined;
}

/**
 * `test`, `describe.skipIf(…)`, `it.each(…)`, `describeService` and the like.
 * @param {ts.Expression} callee
 * @returns {boolean}
 */
function testFunction(callee) {
  if (ts.isIdentifier(callee)) return /^(test|it|suite|describe|bench)([A-Z]|$)/.test(callee.text);
  if (ts.isPropertyAccessExpression(callee) || ts.isCallExpression(callee)) return testFunction(callee.expression);
  return ts.isTaggedTemplateExpression(callee) && testFunction(callee.tag);
}

/** Reads the comments of code that contains no literals. @type {(text: string, add: Add, start: number) => void} */
function readComments(text, add, start) {
  // Consecutive line comments are one piece, so that a phrase is found across a line break.
  for (const { 0: comment, index } of text.matchAll(/\/\*[^]*?\*\/|\/\/.*(?:\s*\n[ \t]*\/\/.*)*/g))
    add(
      'comment',
      comment.replace(/^[ \t]*(\/\/|\*(?!\/))/gm, (mark) => ' '.repeat(mark.length)),
      start + index,
    );
}

/** @type {(text: string, add: Add, start: number) => void} */
function readStyle(text, add, start) {
  readComments(text, add, start);
  const code = text.replace(/\/\*[^]*?\*\//g, blank);
  for (const { 0: name, index } of code.matchAll(/(?<=[.#])[a-z][\w-]*(?=[^{};]*\{)|--[a-z][\w-]*(?=\s*:)/gi))
    add('name', name, start + index);
}

/** Reads markup as text, and its scripts, styles and comments with their own readers. @type {Reader} */
function readMarkup(text, add, start) {
  const rest = text
    .replace(/(<script\b[^>]*>)([^]*?)(<\/script>)/g, (_, open, script, close, at) => {
      readScript(script, add, start + at + open.length, /lang="ts"/.test(open) ? 'script.ts' : 'script.js');
      return open + blank(script) + close;
    })
    .replace(/(<style\b[^>]*>)([^]*?)(<\/style>)/g, (_, open, style, close, at) => {
      readStyle(style, add, start + at + open.length);
      return open + blank(style) + close;
    })
    .replace(/<!--[^]*?-->/g, (comment, at) => {
      add('comment', comment, start + at);
      return blank(comment);
    });
  add('text', rest, start);
  for (const { 0: all, 1: names, index } of rest.matchAll(/\s(?:class|id)="([^"{]*)"/g))
    for (const name of names?.split(/\s+/) ?? []) add('name', name, start + index + all.indexOf(name));
}

const jsonString = /"(?:[^"\\\n]|\\.)*"/g;

/** @type {Reader} */
function readJson(text, add, start) {
  for (const { 0: string, index } of text.matchAll(jsonString)) add('text', string.slice(1, -1), start + index);
  readComments(text.replace(jsonString, blank), add, start);
}

/** @type {Reader} */
function readHashComments(text, add, start) {
  for (const { 0: comment, index } of text.matchAll(/(?<=^|\s)#.*(?:\n[ \t]*#.*)*/g))
    add(
      'comment',
      comment.replace(/^[ \t]*#/gm, (mark) => ' '.repeat(mark.length)),
      start + index,
    );
}

/** Replaces a text by spaces of the same length, so that lines and offsets stay right. @param {string} text */
function blank(text) {
  return text.replace(/[^\n]/g, ' ');
}

/** @param {string} text */
function lineFinder(text) {
  const ends = [...text.matchAll(/\n/g)].map(({ index }) => index);
  return (/** @type {number} */ offset) => {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (/** @type {number} */ (ends[middle]) < offset) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  };
}
