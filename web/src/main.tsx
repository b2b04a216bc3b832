import '@mantine/core/styles/baseline.css';
import '@mantine/core/styles/default-css-variables.css';
import '@mantine/core/styles/global.css';
import './shell/mantine.css';
import './shell/styles.css';
import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiProblem, isPassing } from './api.ts';
import { ensureUsableLanguage } from './parts/locale.ts';
import { makeRouter } from './routes.tsx';
import { cssVariables, theme } from './shell/theme.ts';

ensureUsableLanguage();

/** The front door of the dashboards: what every page needs, put together once. */
const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // A refusal is an answer; only silence, and being asked to wait, are worth a second try.
      retry: (failures, problem) => failures < 2 && problem instanceof ApiProblem && isPassing(problem),
      retryDelay: (failures, problem) => 1_000 * ((problem instanceof ApiProblem && problem.retryAfterSeconds) || 2 ** failures),
    },
  },
});
const router = makeRouter(client);

// The page's policy allows only style sheets that carry this page's nonce. Two libraries make some: one asks, the other reads the global.
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
Object.assign(globalThis, { __webpack_nonce__: nonce });

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has a root');
createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
      withGlobalClasses={false}
    >
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
