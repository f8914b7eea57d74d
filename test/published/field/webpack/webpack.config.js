const { join } = require('node:path');

module.exports = {
  mode: 'production',
  entry: { esm: './src/esm.mjs', cjs: './src/cjs.cjs' },
  output: { filename: '[name].js', path: join(__dirname, 'www') },
};
