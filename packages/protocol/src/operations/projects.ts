import * as z from 'zod';
import { Facets } from '../group.ts';
import { paths } from '../paths.ts';
import { DroppedItems, Project, ProjectDetails, ProjectInput } from '../project.ts';
import { facetsExample } from './errors.ts';
import { noInput } from './no-input.ts';
import type { Operation } from './operation.ts';
import { projectParameters } from './path-parameters.ts';

/** The response of POST /projects/{id}/api-key/rotate. */
export const RotatedKey = Project.pick({ api_key: true });

const projectExample: Project = {
  id: 1,
  name: 'Shop',
  api_key: 'pk_6mJ0r7sXkQeW1tYb3uVhLdZaNpGc9fRx',
  created_at: '2026-11-20T09:00:00.000Z',
};

const projectDetailsExample: ProjectDetails = {
  ...projectExample,
  dsn: 'https://b4009578af5187a376b7824df81342f8@errors.example.com/1',
};

export const projectOperations: Operation[] = [
  {
    id: 'createProject',
    method: 'post',
    path: paths.projects,
    tag: 'Projects',
    summary: 'Create a project',
    auth: 'bearer',
    role: 'member',
    body: { type: 'application/json', schema: ProjectInput, example: { name: 'Shop' } },
    problems: ['conflict'],
    responses: { 201: { description: 'The new project.', body: { schema: Project, example: projectExample } } },
  },
  {
    id: 'listProjects',
    method: 'get',
    path: paths.projects,
    tag: 'Projects',
    summary: 'List all projects of the team',
    description: 'Oldest first. Returns a plain array without pagination.',
    auth: 'bearer',
    responses: { 200: { description: 'All projects.', body: { schema: z.array(Project), example: [projectExample] } } },
  },
  {
    id: 'getProject',
    method: 'get',
    path: paths.project,
    tag: 'Projects',
    summary: 'Get a project with its API key and DSN',
    auth: 'bearer',
    parameters: projectParameters,
    responses: {
      200: { description: 'The project.', body: { schema: ProjectDetails, example: projectDetailsExample } },
    },
  },
  {
    id: 'renameProject',
    method: 'put',
    path: paths.project,
    tag: 'Projects',
    summary: 'Rename a project',
    auth: 'bearer',
    role: 'member',
    parameters: projectParameters,
    body: { type: 'application/json', schema: ProjectInput, example: { name: 'Web shop' } },
    responses: {
      200: {
        description: 'The renamed project.',
        body: { schema: Project, example: { ...projectExample, name: 'Web shop' } },
      },
    },
  },
  {
    id: 'deleteProject',
    method: 'delete',
    path: paths.project,
    tag: 'Projects',
    summary: 'Delete a project',
    description: 'Also deletes its groups, reports and source maps. Its API key is rejected immediately.',
    auth: 'bearer',
    role: 'member',
    parameters: projectParameters,
    responses: { 204: { description: 'The project is deleted.', body: null } },
  },
  {
    id: 'rotateApiKey',
    method: 'post',
    path: paths.rotateApiKey,
    tag: 'Projects',
    summary: 'Rotate the API key of a project',
    description:
      'The DSN changes with the key. The previous key and DSN are rejected as soon as the response is sent. After concurrent rotations exactly one key is valid.',
    auth: 'bearer',
    role: 'member',
    parameters: projectParameters,
    body: noInput,
    responses: {
      200: {
        description: 'The new key.',
        body: {
          schema: RotatedKey,
          example: { api_key: 'pk_Tq2Lw8Bz5NcVfD0aYxKmHsJr4PgEuX7i' },
        },
      },
    },
  },
  {
    id: 'getFacets',
    method: 'get',
    path: paths.facets,
    tag: 'Projects',
    summary: 'List the facets of a project',
    description:
      'Returns the values by which the error groups of the project can be filtered: the newest 100 environments and releases, and the tags that most groups have.',
    auth: 'bearer',
    parameters: projectParameters,
    responses: {
      200: {
        description: 'The values of each filter.',
        body: { schema: Facets, example: facetsExample },
      },
    },
  },
  {
    id: 'getDroppedItems',
    method: 'get',
    path: paths.droppedItems,
    tag: 'Projects',
    summary: 'Count the items other than errors that Sentry SDKs sent',
    description:
      'Sessions, traces, logs, replays and the like are not stored. When an SDK sends them, the server asks it to stop. The counts begin at the start of the server.',
    auth: 'bearer',
    parameters: projectParameters,
    responses: {
      200: {
        description: 'The counts by kind.',
        body: {
          schema: DroppedItems,
          example: {
            since: '2026-11-23T09:00:00.000Z',
            sent: { session: 12, transaction: 3, client_report: 2 },
            unsent: { sample_rate: 40 },
          },
        },
      },
    },
  },
  {
    id: 'getTeamFacets',
    method: 'get',
    path: paths.teamFacets,
    tag: 'Projects',
    summary: 'List the facets of all projects of the team',
    description:
      'Merges the environments and releases of all projects, at most 100 of each: first the newest value of each project, then the second newest, and so on. The tags are those that most groups of the team have.',
    auth: 'bearer',
    responses: {
      200: {
        description: 'The values of each filter.',
        body: { schema: Facets, example: facetsExample },
      },
    },
  },
];
