import type { H3 } from 'h3';
import { ProblemError } from '../problem.ts';

/**
 * Adds what h3 does not provide: HEAD, handled like GET, to each route with GET, and `method_not_allowed` for all other
 * methods of a route.
 */
export function handleOtherMethods(app: H3): void {
  const methods = new Map<string, string[]>();
  for (const { route = '', method = '', handler } of app['~routes'].slice()) {
    const methodsOfRoute = methods.get(route) ?? [];
    methodsOfRoute.push(method);
    methods.set(route, methodsOfRoute);
    if (method !== 'GET') continue;
    methodsOfRoute.push('HEAD');
    app.head(route, handler);
  }
  for (const [route, allow] of methods) {
    app.all(route, () => {
      throw new ProblemError('method_not_allowed', `This path supports ${allow.join(', ')}.`, { allow });
    });
  }
}
