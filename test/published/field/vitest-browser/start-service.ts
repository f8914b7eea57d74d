import { createService } from '@service/server';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    service: { apiKey: string; endpoint: string };
  }
}

export default async function startService({ provide }: TestProject): Promise<() => Promise<void>> {
  const service = await createService({ storage: 'memory:', port: 0, corsOrigins: ['*'], logLevel: 'silent' });
  const { url: endpoint } = await service.listen();
  const { apiKey } = await service.createProject({ name: 'Tests' });
  provide('service', { apiKey, endpoint });
  return () => service.close();
}
