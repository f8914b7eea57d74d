import * as z from 'zod';
import { paths } from '../paths.ts';
import { Facets, Project, ProjectInput } from '../project.ts';
import { noInput } from './no-input.ts';
import type { Operation, PathParameter } from './operation.ts';

/** The answer to POST /projects/{id}/api-key/rotate. */
export const RotatedKey = Project.pick({ api_key: true });

const projectExample: Project = {
  id: 1,
  name: 'Shop',
  api_key: 'pk_6mJ0r7sXkQeW1tYb3uVhLdZaNpGc9fRx',
  created_at: '2026-11-20T09:00:00.000Z',
};

const facetsExample: Facets = { environments: ['production', 'staging'], releases: ['1.2.3', '1.2.2'] };

/** What of a path names a project. */
export const inProject = {
  id: { description: 'Id of the project.', problem: 'project_not_found' },
} as const satisfies Record<string, PathParameter>;

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
    answers: { 201: { description: 'The project is there.', body: { schema: Project, example: projectExample } } },
  },
  {
    id: 'listProjects',
    method: 'get',
    path: paths.projects,
    tag: 'Projects',
    summary: 'List all projects of the team',
    description: 'Oldest first, all at once: a plain array.',
    auth: 'bearer',
    answers: { 200: { description: 'All projects.', body: { schema: z.array(Project), example: [projectExample] } } },
  },
  {
    id: 'getProject',
    method: 'get',
    path: paths.project,
    tag: 'Projects',
    summary: 'Get a project, with its key',
    auth: 'bearer',
    parameters: inProject,
    answers: { 200: { description: 'The project.', body: { schema: Project, example: projectExample } } },
  },
  {
    id: 'renameProject',
    method: 'put',
    path: paths.project,
    tag: 'Projects',
    summary: 'Rename a project',
    auth: 'bearer',
    role: 'member',
    parameters: inProject,
    body: { type: 'application/json', schema: ProjectInput, example: { name: 'Web shop' } },
    answers: {
      200: {
        description: 'The project, renamed.',
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
    description: 'Its groups, reports and source maps go with it, and its key is refused at once.',
    auth: 'bearer',
    role: 'member',
    parameters: inProject,
    answers: { 204: { description: 'The project is gone.', body: null } },
  },
  {
    id: 'rotateApiKey',
    method: 'post',
    path: paths.rotateApiKey,
    tag: 'Projects',
    summary: 'Replace the key of a project',
    description:
      'The old key is refused from the moment of the answer. Of rotations at the same time exactly one key stays valid.',
    auth: 'bearer',
    role: 'member',
    parameters: inProject,
    body: noInput,
    answers: {
      200: {
        description: 'The new key.',
        body: { schema: RotatedKey, example: { api_key: 'pk_Tq2Lw8Bz5NcVfD0aYxKmHsJr4PgEuX7i' } },
      },
    },
  },
  {
    id: 'getFacets',
    method: 'get',
    path: paths.facets,
    tag: 'Projects',
    summary: 'List the environments and releases of a project',
    description: 'What its reports have named, newest first, at most 100 of each.',
    auth: 'bearer',
    parameters: inProject,
    answers: {
      200: {
        description: 'Environments and releases.',
        body: { schema: Facets, example: facetsExample },
      },
    },
  },
  {
    id: 'getTeamFacets',
    method: 'get',
    path: paths.teamFacets,
    tag: 'Projects',
    summary: 'List the environments and releases of all projects of the team',
    description:
      'The union of the facets of all projects, at most 100 of each: first the newest value of each project, then the second newest, and so on.',
    auth: 'bearer',
    answers: {
      200: {
        description: 'Environments and releases.',
        body: { schema: Facets, example: facetsExample },
      },
    },
  },
];
