module.exports = { productionBrowserSourceMaps: true };
