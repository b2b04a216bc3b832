import './shell/fonts.css';
import './shell/styles.css';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiError, isTransient } from '../api/client.ts';
import { followColorScheme } from '../ui/color-scheme.ts';
import { ensureUsableLanguage } from '../ui/locale.ts';
import { createAppRouter } from './routes/routes.tsx';

ensureUsableLanguage();
followColorScheme();

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

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has a root');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
