/** Runs before each test file, although the files of a worker share all other modules. */
import { afterAll } from 'vitest'
import { closeWhatTheFileOpened } from './database.ts'

afterAll(closeWhatTheFileOpened)
