import webpack from 'webpack';
import { expect, test } from 'vitest';
import { service } from '../src/webpack.ts';

test('maps are switched on for a build, but not in watch mode', () => {
  const devtool = (watch: boolean): unknown => {
    const plugins = [service({ endpoint: 'http://127.0.0.1:9', token: 'token' })];
    return webpack({ mode: 'production', entry: './main.js', watch, plugins })?.options.devtool;
  };
  expect([devtool(false), devtool(true)]).toEqual(['hidden-source-map', false]);
});
