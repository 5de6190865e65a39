/** Runs before each test file: properties try the same values in each run, and random ones in `npm run test:whole`. */
import { configureGlobal } from 'fast-check'
import { SEED } from './seed.ts'

configureGlobal({ seed: SEED })
