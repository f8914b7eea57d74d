import { spawn } from 'node:child_process';

const openers: Partial<Record<NodeJS.Platform, [command: string, ...args: string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Opens a URL in the browser of the user. Does nothing if that fails: the URL was printed too. */
export function openBrowser(url: string): void {
  const [command, ...args] = openers[process.platform] ?? ['xdg-open'];
  const opener = spawn(command, [...args, url], { stdio: 'ignore', detached: true });
  opener.on('error', () => undefined);
  opener.unref();
}
