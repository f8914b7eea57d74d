import type { Dialect } from './parse-script.ts';

/** A script within a page. Blanks replace the text before it, so that its positions stay the same. */
export interface ScriptPart {
  text: string;
  dialect: Dialect;
}

const openingTag = /<script\b([^<>]{0,500})>/gi;
const maxScriptParts = 4;

/**
 * Returns the scripts of a Vue or Svelte component. Without a script tag all of it is one script: some bundlers list
 * only the script under the name of the component.
 */
export function scriptParts(page: string): ScriptPart[] {
  const parts: ScriptPart[] = [];
  openingTag.lastIndex = 0;
  for (let tag = openingTag.exec(page); tag && parts.length < maxScriptParts; tag = openingTag.exec(page)) {
    const start = openingTag.lastIndex;
    const end = page.indexOf('</script', start);
    if (end === -1) break;
    parts.push({ text: blank(page, start) + page.slice(start, end), dialect: dialectOf(tag[1] ?? '') });
    openingTag.lastIndex = end;
  }
  return parts.length > 0 ? parts : [{ text: page, dialect: 'js' }];
}

function dialectOf(attributes: string): Dialect {
  const language = /\blang\s*=\s*["']?(\w{1,20})/i.exec(attributes)?.[1]?.toLowerCase();
  if (language === 'ts' || language === 'typescript') return 'ts';
  return language === 'tsx' ? 'tsx' : 'js';
}

function blank(page: string, end: number): string {
  return page.slice(0, end).replaceAll(/[^\n]/g, ' ');
}
