import { expect, test } from 'vitest'
import { newPipeName } from '../../../src/commands/channel/channel-socket.ts'

// Windows itself is not tested; these are its arguments.
test('a named pipe of Windows is where pipes are, under a name of 128 random bits', () => {
  const names = [newPipeName(), newPipeName()]
  for (const name of names) expect(name).toMatch(/^\\\\\.\\pipe\\sojourn-[0-9a-f]{32}$/)
  expect(names[0]).not.toBe(names[1])
})
