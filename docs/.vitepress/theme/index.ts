import { h } from 'vue';
import { Content, type Theme } from 'vitepress';
// Without the fonts of the theme: fonts of the reader's system need no download.
import DefaultTheme, { VPHomeFeatures, VPHomeHero } from 'vitepress/theme-without-fonts';
import './style.css';

export default {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    // The layout of the first page. The one of the theme has no main landmark.
    app.component('Home', () =>
      h('main', { class: 'home' }, [h(VPHomeHero), h(VPHomeFeatures), h('div', { class: 'vp-doc' }, h(Content))]),
    );
  },
} satisfies Theme;
