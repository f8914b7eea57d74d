module.exports = {
  testEnvironment: 'jsdom',
  testMatch: ['**/*.cases.js'],
  // Dependencies of msw are ES modules.
  transform: { '\\.m?js$': ['babel-jest', { plugins: ['@babel/plugin-transform-modules-commonjs'] }] },
  transformIgnorePatterns: ['/node_modules/(?!(rettime|until-async|@open-draft/deferred-promise)/)'],
};
