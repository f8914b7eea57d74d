import ts from 'typescript';

/**
 * Shortens code that terser leaves long: templates become concatenations, functions become arrows, `const` becomes `let`,
 * `forEach` becomes `map`, and an assigned `true` becomes 1.
 *
 * The code must not use `this`, `arguments` or a function before its declaration. It must call `forEach` on lists only, and
 * only test the truthiness of assigned booleans. Arguments stay unchanged: zone.js treats a listener with 1 in place of
 * true as another listener.
 */
export const squeezed = {
  name: 'squeezed',
  renderChunk(code) {
    const file = ts.createSourceFile('chunk.js', code, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS);
    const { transformed } = ts.transform(file, [squeeze]);
    return ts.createPrinter().printFile(transformed[0]);
  },
};

function squeeze(context) {
  const { factory } = context;
  const visit = (before) => {
    const node = ts.visitEachChild(before, visit, context);
    if (ts.isTemplateExpression(node)) return concatenation(node, factory);
    if (ts.isFunctionDeclaration(node) && node.name && !node.asteriskToken) return arrow(node, factory);
    if (ts.isPropertyAccessExpression(node) && node.name.text === 'forEach')
      return factory.createPropertyAccessChain(node.expression, node.questionDotToken, 'map');
    if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken)
      return factory.createAssignment(node.left, digit(node.right, factory));
    if (ts.isVariableDeclarationList(node) && node.flags & ts.NodeFlags.Const)
      return factory.createVariableDeclarationList(node.declarations, ts.NodeFlags.Let);
    return node;
  };
  return (file) => ts.visitNode(file, visit);
}

function concatenation({ head, templateSpans }, factory) {
  const plus = (left, right) => factory.createAdd(left, right);
  let text = factory.createStringLiteral(head.text);
  for (const { expression, literal } of templateSpans) {
    text = plus(text, factory.createParenthesizedExpression(expression));
    if (literal.text) text = plus(text, factory.createStringLiteral(literal.text));
  }
  return factory.createParenthesizedExpression(text);
}

function digit(value, factory) {
  if (value.kind === ts.SyntaxKind.TrueKeyword) return factory.createNumericLiteral(1);
  return value.kind === ts.SyntaxKind.FalseKeyword ? factory.createNumericLiteral(0) : value;
}

function arrow({ name, modifiers, parameters, body }, factory) {
  const isAsync = modifiers?.filter(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword);
  const made = factory.createArrowFunction(isAsync, undefined, parameters, undefined, undefined, body);
  const list = factory.createVariableDeclarationList(
    [factory.createVariableDeclaration(name, undefined, undefined, made)],
    ts.NodeFlags.Let,
  );
  return factory.createVariableStatement(undefined, list);
}
