import type { FunctionComponent } from 'preact';
import type { Project } from '@service/protocol';
import { Failed, Nothing, Waiting } from '../parts/loaded.tsx';
import type { ProjectTab } from '../router/screens.ts';
import { loadProjects, projects, projectsError } from '../session/projects.ts';
import { isOperator } from '../session/session.ts';
import { Connect } from '../start/connect.tsx';
import { AllowedOrigins } from './allowed-origins.tsx';
import { NotificationSettings } from './notification-settings.tsx';
import { ProjectSettings } from './project-settings.tsx';
import { SourceMaps } from './source-maps.tsx';

const tabs: Record<ProjectTab, [title: string, content: FunctionComponent<{ project: Project }>]> = {
  start: ['First steps', Connect],
  settings: ['Settings', ProjectSettings],
  'source-maps': ['Source maps', SourceMaps],
  notifications: ['Notifications', NotificationSettings],
  origins: ['Allowed origins', AllowedOrigins],
};

/** One project: what it needs, and what it is set to. */
export function ProjectScreen({ projectId, tab }: { projectId: number; tab: ProjectTab }) {
  const project = projects.value?.find(({ id }) => id === projectId);
  const error = projectsError.value;
  if (!project)
    return (
      <main>{projects.value ? <Nothing /> : error ? <Failed error={error} again={loadProjects} /> : <Waiting />}</main>
    );
  const Content = tabs[tab][1];
  return (
    <main>
      <header class="head">
        <h1 tabIndex={-1} dir="auto">
          {project.name}
        </h1>
        <a href={`/?project=${projectId}`}>Its errors</a>
      </header>
      <nav class="tabs line" aria-label="Project">
        {Object.entries(tabs).map(
          ([name, [title]]) =>
            (name !== 'origins' || isOperator()) && (
              <a key={name} href={`/projects/${projectId}/${name}`} aria-current={name === tab && 'page'}>
                {title}
              </a>
            ),
        )}
      </nav>
      <Content key={projectId} project={project} />
    </main>
  );
}
