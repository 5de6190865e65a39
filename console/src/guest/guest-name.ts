/** The name of a guest; of a person with a single name, that name (ruling 42). */
export const fullName = ({
  firstName,
  lastName,
}: {
  readonly firstName: string | null
  readonly lastName: string | null
}): string => [firstName, lastName].filter(Boolean).join(' ')
