import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { ErrorReport } from '../../packages/browser/src/index.ts';
import type { Sink } from '../browsers/sink.ts';
import { newPage } from '../test-utils/chromium.mjs';

/** A page, and its output in the console. */
export interface PageOutput {
  page: Page;
  /** The warnings, and all other lines of the SDK. */
  warnings: string[];
  /** The messages of uncaught errors and of unhandled rejections. */
  uncaught: string[];
}

/** Opens a page that passes the `key` and the `endpoint` of its query to `init()`. */
export async function openFieldPage(browser: Browser, url: string, sink: Sink): Promise<PageOutput> {
  const page = await newPage(browser);
  const warnings: string[] = [];
  const uncaught: string[] = [];
  page.on('console', (message) => {
    const text = message.text();
    if (message.type() === 'warning' || text.includes('[ServiceSDK]')) warnings.push(text);
  });
  page.on('pageerror', ({ message }) => uncaught.push(message));
  await page.goto(`${url}?${new URLSearchParams({ key: 'pk_field', endpoint: sink.endpoint })}`);
  return { page, warnings, uncaught };
}

/**
 * Presses each button. Expects one report for each, no other report, no warning, and no uncaught error but those that
 * the buttons cause. Returns the reports, in the order of the buttons.
 */
export async function expectOneReportEach(output: PageOutput, sink: Sink, buttons: string[]): Promise<ErrorReport[]> {
  const { page, warnings, uncaught } = output;
  for (const [index, button] of buttons.entries()) {
    await page.click(`#${button}`);
    await sink.reports(index + 1);
  }
  // A second report of the same error would follow at once.
  await page.waitForTimeout(500);
  const reports = await sink.reports(buttons.length);
  expect(reports.map(({ message }) => message)).toEqual(buttons.map((button) => `${button} fault`));
  expect(warnings).toEqual([]);
  expect(uncaught.filter((message) => !buttons.some((button) => message.includes(`${button} fault`)))).toEqual([]);
  expect(new Set(uncaught).size, uncaught.join()).toBe(uncaught.length);
  for (const report of reports) {
    expect(report.stacktrace).toMatch(/\bhttps?:\/\//);
    expect(report.release).toBe('1.0.0');
  }
  // Each press is a breadcrumb of the next reports.
  expect(reports.at(-1)?.breadcrumbs?.map(({ category }) => category)).toContain('click');
  return reports;
}
