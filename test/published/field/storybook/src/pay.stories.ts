import { captureException } from '@service/browser';
import type { Meta, StoryObj } from '@storybook/html-vite';
import { expect, userEvent, within } from 'storybook/test';
import { service } from '../.storybook/preview';

export default {
  title: 'Pay',
  render() {
    const button = document.createElement('button');
    button.textContent = 'Pay';
    button.addEventListener('click', () => void captureException(new Error('The card was declined')));
    return button;
  },
} satisfies Meta;

export const Declined: StoryObj = {
  async play({ canvasElement }) {
    await userEvent.click(within(canvasElement).getByRole('button'));
    await expect(service).toHaveReportedOnce(/declined/);
    await expect(service).toHaveGroups(1);
    canvasElement.dataset.played = 'yes';
  },
};
