export type RoleTexts = {
  readonly name: string;
  readonly description: string;
  readonly prompt: string;
};
