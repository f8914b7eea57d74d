import type { Project } from '@service/protocol';
import { Empty, Failed, Waiting } from '../parts/loaded.tsx';
import { projectTabs, type ProjectTab } from '../router/screens.ts';
import { loadProjects, projects, projectsError } from '../session/projects.ts';
import { isOperator } from '../session/session.ts';
import { Connect } from '../start/connect.tsx';
import { AllowedOrigins } from './allowed-origins.tsx';
import { NotificationSettings } from './notification-settings.tsx';
import { ProjectSettings } from './project-settings.tsx';
import { SourceMaps } from './source-maps.tsx';

const titles: Record<ProjectTab, string> = {
  start: 'First steps',
  settings: 'Settings',
  'source-maps': 'Source maps',
  notifications: 'Notifications',
  origins: 'Allowed origins',
};

/** One project: what it needs, and what it is set to. */
export function ProjectScreen({ projectId, tab }: { projectId: number; tab: ProjectTab }) {
  const project = projects.value?.find(({ id }) => id === projectId);
  if (!projects.value) {
    return (
      <main>{projectsError.value ? <Failed error={projectsError.value} again={loadProjects} /> : <Waiting />}</main>
    );
  }
  if (!project) {
    return (
      <main>
        <Empty title="There is no such project">
          <a href="/projects">All projects</a>
        </Empty>
      </main>
    );
  }
  return (
    <main>
      <header class="head">
        <h1 tabIndex={-1} dir="auto">
          {project.name}
        </h1>
        <a href={`/?project=${projectId}`}>Its errors</a>
      </header>
      <nav class="tabs line" aria-label="Project">
        {projectTabs
          .filter((name) => name !== 'origins' || isOperator())
          .map((name) => (
            <a key={name} href={`/projects/${projectId}/${name}`} aria-current={name === tab ? 'page' : undefined}>
              {titles[name]}
            </a>
          ))}
      </nav>
      <Tab key={`${projectId} ${tab}`} project={project} tab={tab} />
    </main>
  );
}

function Tab({ project, tab }: { project: Project; tab: ProjectTab }) {
  switch (tab) {
    case 'start':
      return <Connect project={project} />;
    case 'settings':
      return <ProjectSettings project={project} />;
    case 'source-maps':
      return <SourceMaps project={project} />;
    case 'notifications':
      return <NotificationSettings project={project} />;
    case 'origins':
      return <AllowedOrigins />;
  }
}
