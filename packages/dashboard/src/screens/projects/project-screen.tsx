import type { Project } from '@service/protocol';
import type { FunctionComponent } from 'preact';
import { Loaded, NotFound } from '../../components/loaded.tsx';
import type { ProjectTab } from '../../router/screens.ts';
import { useTitle } from '../../router/title.ts';
import { projectName, useProjects } from '../../session/projects.ts';
import { isOperator } from '../../session/permissions.ts';
import { SetupGuide } from '../start/setup-guide.tsx';
import { AllowedOrigins } from './allowed-origins.tsx';
import { NotificationSettings } from './notification-settings.tsx';
import { ProjectSettings } from './project-settings.tsx';
import { SourceMaps } from './source-maps.tsx';

const tabs: Record<ProjectTab, [title: string, content: FunctionComponent<{ project: Project }>]> = {
  start: ['Setup guide', SetupGuide],
  settings: ['Settings', ProjectSettings],
  'source-maps': ['Source maps', SourceMaps],
  notifications: ['Notifications', NotificationSettings],
  origins: ['Allowed origins', AllowedOrigins],
};

/** The settings of one project, in tabs. */
export function ProjectScreen({ projectId, tab }: { projectId: number; tab: ProjectTab }) {
  const load = useProjects();
  const [title, Content] = tabs[tab];
  useTitle(title, projectName(projectId) || 'Projects');
  return (
    <main>
      <Loaded load={load}>
        {(projects) => {
          const project = projects.find(({ id }) => id === projectId);
          if (!project) return <NotFound />;
          return (
            <>
              <header class="head">
                <h1 tabIndex={-1} dir="auto">
                  {project.name}
                </h1>
                <a href={`/?project=${projectId}`}>View errors</a>
              </header>
              <nav class="tabs line" aria-label="Project">
                {Object.entries(tabs).map(
                  ([path, [label]]) =>
                    (path !== 'origins' || isOperator()) && (
                      <a key={path} href={`/projects/${projectId}/${path}`} aria-current={path === tab && 'page'}>
                        {label}
                      </a>
                    ),
                )}
              </nav>
              <Content key={projectId} project={project} />
            </>
          );
        }}
      </Loaded>
    </main>
  );
}
