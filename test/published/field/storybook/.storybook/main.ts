import { serviceMocks } from '@service/mocks/vite';
import type { StorybookConfig } from '@storybook/html-vite';

export default {
  framework: '@storybook/html-vite',
  stories: ['../src/*.stories.ts'],
  viteFinal: (config) => ({ ...config, plugins: [...(config.plugins ?? []), serviceMocks()] }),
} satisfies StorybookConfig;
