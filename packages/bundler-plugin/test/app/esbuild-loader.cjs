// A loader of webpack and Rspack that compiles TypeScript.
const { transform } = require('esbuild');

module.exports = function compile(source) {
  const done = this.async();
  transform(source, { loader: 'ts', sourcemap: 'external', sourcefile: this.resourcePath }).then(
    ({ code, map }) => done(null, code, JSON.parse(map)),
    done,
  );
};
