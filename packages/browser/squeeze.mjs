import ts from 'typescript';

/**
 * What terser leaves undone: a text that is put together is shorter than a template, an arrow shorter than a function,
 * and one word for all variables is shorter than two. Only for code that needs no `this`, no `arguments` and no
 * function before its line, as ours.
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

function arrow({ name, modifiers, parameters, body }, factory) {
  const isAsync = modifiers?.filter(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword);
  const made = factory.createArrowFunction(isAsync, undefined, parameters, undefined, undefined, body);
  const list = factory.createVariableDeclarationList(
    [factory.createVariableDeclaration(name, undefined, undefined, made)],
    ts.NodeFlags.Let,
  );
  return factory.createVariableStatement(undefined, list);
}
