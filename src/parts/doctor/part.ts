import type { Part } from '../../core/part.ts'

/** What an operator checks: the doctor’s examination of a deployment, and the state of the service. */
export const doctor: Part = {
  name: 'doctor',
  needs: ['mail', 'notices', 'reports'],
}
