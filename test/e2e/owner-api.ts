/** The fields of a group that the tests read. */
interface Group {
  error_group_id: number;
  status: string;
  type: string | null;
  message: string;
  count: number;
  level: string;
  reopen_count: number;
}

export interface GroupDetails extends Group {
  tags: { browser: { value: string }[] };
  latest_report: {
    message: string;
    stacktrace: string | null;
    environment: string | null;
    release: string | null;
    url: string | null;
    metadata: Record<string, unknown>;
    breadcrumbs: { timestamp: string; type: string; category: string; data: Record<string, unknown> }[];
    frames: {
      function: string | null;
      file: string | null;
      line: number | null;
      in_app: boolean;
      resolved: boolean;
      context: { line: number; text: string }[];
    }[];
  };
}

/** The API of the owner. */
export interface OwnerApi {
  projects(): Promise<{ id: number; name: string; api_key: string }[]>;
  sourceMaps(projectId: number): Promise<{ id: number; file: string }[]>;
  rotateKey(projectId: number): Promise<string>;
  /** Invites a member. Resolves with the URL of the invitation. */
  invite(email: string): Promise<string>;
  groups(): Promise<Group[]>;
  /** Resolves with the only group that has this message. */
  group(message: string): Promise<GroupDetails>;
  resolve(groupId: number): Promise<Group>;
}

export function createOwnerApi(baseUrl: string, token: string): OwnerApi {
  async function call<Body>(method: string, path: string, body?: object): Promise<Body> {
    const response = await fetch(`${baseUrl}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Body;
  }
  const groups = async (): Promise<Group[]> => (await call<{ items: Group[] }>('GET', '/errors?size=100')).items;
  return {
    projects: () => call('GET', '/projects'),
    sourceMaps: async (id) =>
      (await call<{ items: { id: number; file: string }[] }>('GET', `/projects/${id}/source-maps`)).items,
    rotateKey: async (id) => (await call<{ api_key: string }>('POST', `/projects/${id}/api-key/rotate`)).api_key,
    invite: async (email) =>
      (await call<{ invite_url: string }>('POST', '/members', { email, role: 'viewer' })).invite_url,
    groups,
    async group(message) {
      const found = (await groups()).filter((group) => group.message === message);
      if (found.length !== 1) throw new Error(`${found.length} groups have the message ${JSON.stringify(message)}`);
      return call('GET', `/errors/${found[0]?.error_group_id}`);
    },
    resolve: (id) => call('PATCH', `/errors/${id}/status`, { status: 'resolved' }),
  };
}

/** Signs in with e-mail and password. Resolves with an access token. */
export async function signIn(baseUrl: string, credentials: { email: string; password: string }): Promise<string> {
  const response = await fetch(`${baseUrl}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(credentials),
  });
  const { access_token } = (await response.json()) as { access_token: string };
  return access_token;
}
