import type { ChannelName, Notifications, NotificationsInput } from '@service/protocol';
import type { FunctionComponent } from 'preact';
import { Checkbox, InputField, SelectField } from '../../forms/fields.tsx';
import { splitEntries } from '../../forms/list-entries.ts';
import { hasFact } from '../../server-facts.ts';

/** The part of the form that belongs to one channel. Its fields are named by their paths in the request. */
interface ChannelForm<Name extends ChannelName> {
  /** The heading of the fields, and what precedes a problem of the channel. */
  title: string;
  /** The channel in a sentence. */
  name: string;
  Fields: FunctionComponent<Notifications[Name]>;
  /** Returns the settings that the user has entered. */
  read(values: Readonly<Record<string, string>>): NotificationsInput[Name];
}

const webhookFormats = [
  ['slack', 'Slack'],
  ['mattermost', 'Mattermost'],
] as const;

/** All channels, in the order in which the form shows them. */
const channelForms: { readonly [Name in ChannelName]: ChannelForm<Name> } = {
  email: {
    title: 'E-mail',
    name: 'e-mail',
    Fields: ({ enabled, to }) => (
      <>
        <Checkbox name="email.enabled" label="Send e-mails" checked={enabled} />
        {!hasFact('mail') && (
          <p class="banner quiet">This server can’t send e-mails yet: its operator has to set SERVICE_SMTP_URL.</p>
        )}
        <InputField
          name="email.to"
          label="Recipients"
          hint="Comma-separated, up to 20"
          defaultValue={to.join(', ')}
          expected="Enter at most 20 e-mail addresses such as team@example.com, and at least one to send e-mails."
        />
      </>
    ),
    read: (values) => ({ enabled: !!values['email.enabled'], to: splitEntries(values['email.to'] ?? '') }),
  },
  webhook: {
    title: 'Webhook',
    name: 'webhook',
    Fields: ({ enabled, url, format }) => (
      <>
        <Checkbox name="webhook.enabled" label="Send to Slack or Mattermost" checked={enabled} />
        <InputField
          name="webhook.url"
          label="URL of the incoming webhook"
          maxLength={2_048}
          defaultValue={url ?? ''}
          expected="Enter the webhook URL from Slack or Mattermost. It starts with https:// or http:// and has no user name."
        />
        <SelectField name="webhook.format" label="Format" value={format} options={webhookFormats} />
      </>
    ),
    read: (values) => ({
      enabled: !!values['webhook.enabled'],
      url: values['webhook.url'] || null,
      format: values['webhook.format'] as Notifications['webhook']['format'],
    }),
  },
};

const channelNames = Object.keys(channelForms) as ChannelName[];

/** The fields of all channels. */
export function ChannelFields({ settings }: { settings: Notifications }) {
  return channelNames.flatMap((name) => {
    const Fields = channelForms[name].Fields as FunctionComponent<Notifications[ChannelName]>;
    return [<h2 key={`${name} title`}>{channelTitle(name)}</h2>, <Fields key={name} {...settings[name]} />];
  });
}

/** Returns the request body for the values of the form. */
export function readChannels(values: Readonly<Record<string, string>>): NotificationsInput {
  return Object.fromEntries(channelNames.map((name) => [name, channelForms[name].read(values)])) as NotificationsInput;
}

export const channelTitle = (name: ChannelName): string => channelForms[name].title;

/** Lists channels in a sentence: "e-mail and webhook". */
export function listChannels(names: readonly ChannelName[]): string {
  return names
    .map((name) => channelForms[name].name)
    .join(', ')
    .replace(/, ([^,]*)$/, ' and $1');
}
