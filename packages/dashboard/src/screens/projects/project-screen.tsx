import type { FunctionComponent } from 'preact';
import type { Project } from '@service/protocol';
import { Loaded, Nothing } from '../../components/loaded.tsx';
import type { ProjectTab } from '../../router/screens.ts';
import { useEffect } from 'preact/hooks';
import { projectName, useProjects } from '../../session/projects.ts';
import { isOperator } from '../../session/session.ts';
import { Connect } from '../start/setup-guide.tsx';
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
  const load = useProjects();
  const [title, Content] = tabs[tab];
  const name = projectName(projectId);
  useEffect(() => {
    document.title = `${title} · ${name || 'Projects'}`;
  }, [title, name]);
  return (
    <main>
      <Loaded of={load}>
        {(known) => {
          const project = known.find(({ id }) => id === projectId);
          if (!project) return <Nothing />;
          return (
            <>
              <header class="head">
                <h1 tabIndex={-1} dir="auto">
                  {project.name}
                </h1>
                <a href={`/?project=${projectId}`}>Its errors</a>
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
