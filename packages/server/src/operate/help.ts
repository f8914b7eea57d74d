import { defineCommand, runMain } from 'citty';
import { version } from '../version.ts';

const storage = {
  type: 'string',
  description:
    'Where everything is kept: file:PATH, sqlite:PATH, redis://HOST or memory: (SERVICE_STORAGE, file:./.service-data)',
} as const;
const force = { type: 'boolean', description: 'Replace what is there' } as const;

/** `--help` and `--version`, of the server and of the commands beside it. */
export async function tellHelp(rawArgs: string[]): Promise<void> {
  const command = defineCommand({
    meta: {
      name: 'service-server',
      version,
      description: 'Groups the errors of web apps, resolves their stacks and keeps them on your own disk',
    },
    args: {
      host: { type: 'string', description: 'Address to listen on (SERVICE_HOST, 127.0.0.1)' },
      port: { type: 'string', description: 'Port to listen on (SERVICE_PORT, 4400)' },
      storage,
      'base-url': {
        type: 'string',
        description: 'Where browsers reach this server (SERVICE_BASE_URL, from host and port)',
      },
      'cors-origin': {
        type: 'string',
        description:
          'An origin whose pages may send reports; may be given again (SERVICE_CORS_ORIGINS, those of this machine)',
      },
    },
    subCommands: {
      backup: defineCommand({
        meta: { name: 'backup', description: 'Write all that there is into a file, also while the server runs' },
        args: { file: { type: 'positional', description: 'The file to write' }, storage, force },
      }),
      restore: defineCommand({
        meta: { name: 'restore', description: 'Put a backup into a storage on which no server runs' },
        args: { file: { type: 'positional', description: 'The backup' }, storage, force },
      }),
      plan: defineCommand({
        meta: { name: 'plan', description: 'Give a team a plan of SERVICE_PLANS, also while the server runs' },
        args: {
          team: { type: 'positional', description: 'Id or exact name of the team' },
          plan: { type: 'positional', description: 'Id of the plan' },
          storage,
        },
      }),
    },
  });
  await runMain(command, { rawArgs });
}
