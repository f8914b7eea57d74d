import { truncate } from '../../text/truncate.ts';
import type { SyntaxNode } from './parse-script.ts';

/** The range of a function in its text, in characters. */
export interface FunctionSpan {
  start: number;
  end: number;
  /** `Cart.total`; `Cart.total.<anonymous>` for a function without a name within another one; else null. */
  name: string | null;
}

/** Longer names are truncated, after the names of enclosing functions are dropped. */
const maxFunctionNameChars = 120;

const anonymous = '<anonymous>';

/**
 * The maximum depth of a tree, which takes 1.5 MB of stack. The parser reads `a.b.c.…` in a loop, so the tree is as
 * deep as the expression is long.
 */
const maxTreeDepth = 3_000;

/**
 * Returns all functions below a node with the names that their authors use: that of the variable or property they are
 * assigned to, after that of its class or object. A class counts as a function: code in none of its methods belongs to
 * its constructor. Throws a RangeError if the tree is too deep.
 */
export function nameFunctions(root: SyntaxNode): FunctionSpan[] {
  const walk: NamingState = { spans: [], depth: 0 };
  visit(root, { walk, self: null, caller: null }, null);
  return walk.spans;
}

interface NamingState {
  readonly spans: FunctionSpan[];
  depth: number;
}

interface Surroundings {
  walk: NamingState;
  /** The class of `this`. */
  self: string | null;
  /** The nearest enclosing function that has a name. */
  caller: string | null;
}

/** Visits a node. A node without a name gets `name`, for example that of the variable to which it is assigned. */
function visit(node: SyntaxNode, around: Surroundings, name: string | null): void {
  const { walk } = around;
  if (walk.depth >= maxTreeDepth) throw new RangeError('This tree is too deep.');
  walk.depth++;
  const visitor = Object.hasOwn(visitors, node.type) ? visitors[node.type] : undefined;
  if (visitor) visitor(node, around, name);
  else visitChildren(node, around);
  walk.depth--;
}

function visitChildren(node: SyntaxNode, around: Surroundings): void {
  for (const key in node) {
    const child = node[key];
    if (Array.isArray(child)) {
      for (const one of child) if (isNode(one)) visit(one, around, null);
    } else if (isNode(child)) visit(child, around, null);
  }
}

function visitChild(child: unknown, around: Surroundings, name: string | null): void {
  if (isNode(child)) visit(child, around, name);
}

type Visitor = (node: SyntaxNode, around: Surroundings, name: string | null) => void;

const visitFunction: Visitor = (node, around, name) => {
  // An overload has a type but no body.
  if (isNode(node.body)) enter(node, node, around, ownName(node) ?? name);
};

/** Records a function and visits its body. A method begins with its key. */
function enter(node: SyntaxNode, body: SyntaxNode, around: Surroundings, name: string | null): void {
  const { walk, caller } = around;
  const qualifiedName = name ?? (caller === null ? null : `${caller}.${anonymous}`);
  walk.spans.push({ start: node.start, end: node.end, name: qualifiedName });
  visitChildren(body, name === null ? around : { ...around, caller: name });
}

const visitClass: Visitor = (node, around, name) => {
  const self = ownName(node) ?? name;
  enter(node, node, { ...around, self }, self);
};

const visitMember: Visitor = (node, around) => {
  const { self } = around;
  const { value } = node;
  if (!isNode(value)) return visitChildren(node, around);
  const name = node.kind === 'constructor' ? self : memberName(self, node);
  if (node.type === 'MethodDefinition') visitMethod(node, value, around, name);
  else visit(value, around, name);
};

function visitMethod(node: SyntaxNode, value: SyntaxNode, around: Surroundings, name: string | null): void {
  if (isNode(value.body)) enter(node, value, around, name);
}

/** Passes the name on to the children that may be the value of the node. */
const passOn =
  (...keys: string[]): Visitor =>
  (node, around, name) => {
    for (const key in node) {
      const child = node[key];
      if (keys.includes(key)) visitChild(child, around, name);
      else if (isNode(child)) visit(child, around, null);
    }
  };

const visitNothing: Visitor = () => {};

const visitors: Readonly<Record<string, Visitor>> = {
  FunctionDeclaration: visitFunction,
  FunctionExpression: visitFunction,
  ArrowFunctionExpression: visitFunction,
  ClassDeclaration: visitClass,
  ClassExpression: visitClass,
  MethodDefinition: visitMember,
  PropertyDefinition: visitMember,
  AccessorProperty: visitMember,

  ObjectExpression(node, around, name) {
    // The properties of a default export are known by their names alone.
    const owner = name === 'default' ? null : name;
    for (const property of node.properties as SyntaxNode[]) {
      const { value } = property;
      if (property.type !== 'Property' || !isNode(value)) visitChildren(property, around);
      else if (property.method === true || property.kind !== 'init')
        visitMethod(property, value, around, memberName(owner, property));
      else visit(value, around, memberName(owner, property));
    }
  },

  VariableDeclarator(node, around) {
    visitChild(node.id, around, null);
    visitChild(node.init, around, identifier(node.id));
  },
  AssignmentExpression(node, around) {
    visitChild(node.left, around, null);
    visitChild(node.right, around, targetName(node.left, around.self));
  },
  AssignmentPattern(node, around) {
    visitChild(node.left, around, null);
    visitChild(node.right, around, identifier(node.left));
  },
  ExportDefaultDeclaration(node, around) {
    visitChild(node.declaration, around, 'default');
  },
  TSExportAssignment(node, around) {
    visitChild(node.expression, around, 'default');
  },
  JSXAttribute(node, around) {
    const { name } = node.name as SyntaxNode;
    visitChild(node.value, around, typeof name === 'string' ? name : null);
  },
  // `memo(() => …)`, `useCallback(() => …)`, `createSlice({ … })` return their argument, or something made from it.
  CallExpression(node, around, name) {
    // Visited first, because it throws if the callee is too deep for the recursive functions below.
    visitChild(node.callee, around, null);
    const isMaker =
      name !== null && isFunctionCall(node.callee) && (around.caller === null || isNamedAsMaker(node.callee));
    const registration = isMaker ? null : registrationName(node);
    const named = isMaker ? name : registration && qualified(around.caller, registration);
    for (const argument of node.arguments as unknown[])
      visitChild(argument, around, registration === null || isFunction(argument) ? named : null);
  },

  JSXExpressionContainer: passOn('expression'),
  ParenthesizedExpression: passOn('expression'),
  TSAsExpression: passOn('expression'),
  TSSatisfiesExpression: passOn('expression'),
  TSTypeAssertion: passOn('expression'),
  TSNonNullExpression: passOn('expression'),
  TSInstantiationExpression: passOn('expression'),
  ConditionalExpression: passOn('consequent', 'alternate'),
  LogicalExpression: passOn('left', 'right'),

  // Types contain no code.
  TSInterfaceDeclaration: visitNothing,
  TSTypeAliasDeclaration: visitNothing,
  TSTypeAnnotation: visitNothing,
  TSTypeParameterDeclaration: visitNothing,
  TSTypeParameterInstantiation: visitNothing,
};

/** Returns whether a call is one of a function (`memo`, `React.memo`, `connect(…)`), not of a method (`rows.map`). */
function isFunctionCall(callee: unknown): boolean {
  if (!isNode(callee)) return false;
  if (callee.type === 'CallExpression') return isFunctionCall(callee.callee);
  if (callee.type !== 'MemberExpression') return callee.type === 'Identifier';
  return /^[A-Z_$]/.test(identifier(callee.object) ?? '');
}

/**
 * Returns whether the name of the called function shows that it returns a function. Within a function a variable more
 * often contains a result: `const total = measured('total', () => …)`.
 */
function isNamedAsMaker(callee: unknown): boolean {
  if (!isNode(callee)) return false;
  if (callee.type === 'CallExpression') return isNamedAsMaker(callee.callee);
  const name = identifier(callee.type === 'MemberExpression' ? callee.property : callee);
  return name !== null && /^(?:use|create|make|with|wrap|bind|memo|debounce|throttle|once|curry|partial)/.test(name);
}

const maxEventChars = 40;
/** Methods that keep a function for later, as opposed to those that call it now: `span.run('load', () => …)`. */
const registering =
  /^(?:on|once|add|set|use|bind|hook|handle|listen|subscribe|register|define|command|route|get|post|put|patch|delete|all|when|watch)(?:[A-Z]\w{0,60})?$/;

/**
 * Returns the name of a function that a call registers for something: `on('begin')` for `crew.on('begin', () => …)`.
 * Two functions without a name, registered by one function, are then not the same. Returns null for any other call.
 */
function registrationName({ callee, arguments: given }: SyntaxNode): string | null {
  const [event, handler] = given as unknown[];
  if (!isNode(callee) || !isNode(event) || event.type !== 'Literal' || typeof event.value !== 'string') return null;
  if (!isFunction(handler)) return null;
  const name = identifier(callee.type === 'MemberExpression' && callee.computed !== true ? callee.property : callee);
  if (name === null || !registering.test(name)) return null;
  const text = truncate(event.value, maxEventChars).toWellFormed();
  return /^[^'\n]+$/.test(text) ? `${name}('${text}')` : null;
}

function isFunction(node: unknown): boolean {
  return isNode(node) && (node.type === 'ArrowFunctionExpression' || node.type === 'FunctionExpression');
}

/** Returns the name of an assigned value, from `a.b.c = `, `this.c = `, `A.prototype.c = ` or `exports.c = `. */
function targetName(target: unknown, self: string | null): string | null {
  if (!isNode(target)) return null;
  if (target.type === 'Identifier') return identifier(target);
  if (target.type !== 'MemberExpression') return null;
  const { object } = target;
  const key = propertyName(target.property, target.computed === true);
  if (key === null || !isNode(object)) return null;
  if (object.type === 'ThisExpression') return qualified(self, key);
  const owner = targetName(object, self);
  if (owner === 'module' && key === 'exports') return 'default';
  if (owner === 'exports' || owner === 'default') return key;
  return key === 'prototype' ? owner : qualified(owner, key);
}

/** Returns the name of a method or property, after that of its owner. */
function memberName(owner: string | null, { key, computed }: SyntaxNode): string | null {
  const own = propertyName(key, computed === true);
  return own === null ? null : qualified(owner, own);
}

function propertyName(key: unknown, isComputed: boolean): string | null {
  if (!isNode(key)) return null;
  if (key.type === 'Literal') return truncate(String(key.value), maxFunctionNameChars).toWellFormed();
  if (key.type === 'PrivateIdentifier') return truncate(`#${String(key.name)}`, maxFunctionNameChars);
  if (!isComputed) return identifier(key);
  // Only well-known computed keys have a name: `[Symbol.iterator]`.
  const text = targetName(key, null);
  return text?.startsWith('Symbol.') ? `[${text}]` : null;
}

function qualified(owner: string | null, name: string | null): string | null {
  if (name === null || owner === null || owner.length + name.length >= maxFunctionNameChars) return name;
  return `${owner}.${name}`;
}

function ownName(node: SyntaxNode): string | null {
  return identifier(node.id);
}

function identifier(node: unknown): string | null {
  return isNode(node) && node.type === 'Identifier' ? truncate(String(node.name), maxFunctionNameChars) : null;
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && typeof (value as SyntaxNode).type === 'string';
}
