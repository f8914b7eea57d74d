import webpack from 'webpack';

export default {
  mode: 'production',
  entry: './src/main.js',
  devtool: 'source-map',
  output: { path: `${import.meta.dirname}/www`, filename: 'main.js' },
  plugins: [new webpack.EnvironmentPlugin({ SERVICE_KEY: '', SERVICE_URL: 'http://127.0.0.1:4400' })],
};
