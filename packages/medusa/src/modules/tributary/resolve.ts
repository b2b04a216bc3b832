import type { MedusaContainer } from '@medusajs/framework/types';
import { ContainerRegistrationKeys, MedusaError } from '@medusajs/framework/utils';
import { messageOf } from '@tributary/node/plugin-connection';
import { tributaryModule } from './index.ts';
import type { TributaryModuleService } from './service.ts';

export const tributaryOf = (container: MedusaContainer): TributaryModuleService => container.resolve(tributaryModule);

/** Query without the generated types of a project, which a plugin does not have. */
export type Query = {
  graph(input: {
    readonly entity: string;
    readonly fields: readonly string[];
    readonly filters?: Readonly<Record<string, unknown>>;
    readonly pagination?: { readonly skip?: number; readonly take?: number; readonly order?: Readonly<Record<string, 'ASC' | 'DESC'>> };
  }): Promise<{ readonly data: readonly unknown[] }>;
};

export const queryOf = (container: MedusaContainer): Query => container.resolve(ContainerRegistrationKeys.QUERY) as unknown as Query;

/** An error of the service becomes a response with its message instead of "unknown error". */
export async function answerOf<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof MedusaError) throw error;
    throw new MedusaError(MedusaError.Types.NOT_ALLOWED, messageOf(error));
  }
}
