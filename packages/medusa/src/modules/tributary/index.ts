import { Module } from '@medusajs/framework/utils';
import { TributaryModuleService } from './service.ts';

export const tributaryModule = 'tributary';

export default Module(tributaryModule, { service: TributaryModuleService });
