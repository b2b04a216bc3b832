import '@mantine/core/styles/baseline.css';
import '@mantine/core/styles/default-css-variables.css';
import '@mantine/core/styles/global.css';
import './shell/fonts.css';
import './shell/mantine.css';
import './shell/styles.css';
import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiError, isTransient } from '../api/client.ts';
import { ensureUsableLanguage } from '../ui/locale.ts';
import { createAppRouter } from './routes/routes.tsx';
import { cssVariables, theme } from './shell/theme.ts';

ensureUsableLanguage();

/** Starts the dashboards: creates what every page needs. */
const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // Only transient errors are retried.
      retry: (failures, problem) => failures < 2 && problem instanceof ApiError && isTransient(problem),
      retryDelay: (failures, problem) => 1_000 * ((problem instanceof ApiError && problem.retryAfterSeconds) || 2 ** failures),
    },
    // Without a network a change fails immediately. The default would send it whenever the network comes back.
    mutations: { networkMode: 'always' },
  },
});
const router = createAppRouter(client);

// The content security policy allows only style sheets with this page's nonce. Two libraries add style sheets: one takes the nonce as a
// function, the other reads the global.
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
