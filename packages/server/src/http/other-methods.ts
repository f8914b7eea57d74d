import type { H3 } from 'h3';
import { ProblemError } from '../problem.ts';

/** Gives every route what h3 leaves open: HEAD answered as GET, and `method_not_allowed` for the rest. */
export function answerOtherMethods(app: H3): void {
  const methods = new Map<string, string[]>();
  for (const { route = '', method = '', handler } of app['~routes'].slice()) {
    const known = methods.get(route) ?? [];
    known.push(method);
    methods.set(route, known);
    if (method !== 'GET') continue;
    known.push('HEAD');
    app.head(route, handler);
  }
  for (const [route, allow] of methods) {
    app.all(route, () => {
      throw new ProblemError('method_not_allowed', `This path knows ${allow.join(', ')}.`, { allow });
    });
  }
}
