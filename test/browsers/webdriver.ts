import { setTimeout as pause } from 'node:timers/promises';

/** A session of classic WebDriver (https://www.w3.org/TR/webdriver2/), with the commands that the tests need. */
export interface WebDriver {
  capabilities: Record<string, unknown>;
  /** Posts a command of the session and resolves with its value. */
  post(command: string, body: object): Promise<unknown>;
  /** Ends the session, and its browser. */
  end(): Promise<void>;
}

interface Session {
  sessionId: string;
  capabilities: Record<string, unknown>;
}

/** Opens a session. Waits until the driver responds, because it may have just been started. */
export async function openWebDriver(driver: string, wanted: Record<string, unknown>): Promise<WebDriver> {
  for (let tries = 0; !(await isReady(driver)); tries++) {
    if (tries > 1_000) throw new Error(`There is no WebDriver at ${driver}.`);
    await pause(100);
  }
  const { sessionId, capabilities } = (await call(driver, 'POST', 'session', {
    capabilities: { alwaysMatch: wanted },
  })) as Session;
  return {
    capabilities,
    post: (command, body) => call(driver, 'POST', `session/${sessionId}/${command}`, body),
    async end() {
      await call(driver, 'DELETE', `session/${sessionId}`);
    },
  };
}

async function isReady(driver: string): Promise<boolean> {
  // The driver does not listen yet.
  const status = (await call(driver, 'GET', 'status').catch(() => null)) as { ready: boolean } | null;
  return status?.ready === true;
}

async function call(driver: string, method: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(`${driver}/${path}`, { method, ...(body && { body: JSON.stringify(body) }) });
  const { value } = (await response.json()) as { value: unknown };
  if (response.ok) return value;
  const { error, message } = value as { error: string; message: string };
  throw new Error(`WebDriver could not ${method} ${path}: ${error}. ${message}`);
}
