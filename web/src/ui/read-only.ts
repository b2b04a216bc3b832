import { createContext, use } from 'react';

/** True while an operator views another account: controls that change something are shown disabled. */
export const ReadOnlyContext = createContext(false);
export const useReadOnly = (): boolean => use(ReadOnlyContext);
