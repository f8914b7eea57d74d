/** Compiles a template such as `Frame {{bike.frame}}` into a function. */
export function compile(template: string): (data: object) => string {
  const body = template.replace(/\{\{(.*?)\}\}/g, '${$1}');
  return new Function('data', `with (data) { return \`${body}\`; }`) as (data: object) => string;
}

export function calculate(formula: string, rates: object): number {
  return new Function('rates', `return ${formula}`)(rates) as number;
}
