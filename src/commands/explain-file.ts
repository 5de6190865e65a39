/** `sojourn import --explain`: describes a file and proposes a mapping for it. It needs no database. */
import { visible } from '../errors/visible.ts'
import { STDIN } from '../intake/files.ts'
import { InputError } from '../intake/input-error.ts'
import { proposeMapping } from '../intake/mapping/propose.ts'
import { unpack } from '../intake/read-bytes.ts'
import type { CsvForm } from '../intake/tables/csv-rows.ts'
import { readTables } from '../intake/tables/read-tables.ts'
import { type CommandContext, CommandError, print, UsageError } from './context.ts'
import { formWords } from './csv-form.ts'

export async function explainFile(
  context: Pick<CommandContext, 'files' | 'stdout' | 'interrupts'>,
  files: readonly string[],
): Promise<void> {
  const [file, more] = files
  if (file === undefined || more !== undefined) throw new UsageError('--explain takes one file.')
  const name = file === STDIN ? 'standard input' : visible(file)
  let form: CsvForm | undefined
  try {
    const bytes = unpack(await context.files.open(file), name, /\.gz$/i.test(file))
    const { sheets, table, close } = await readTables(bytes, name, {
      onForm(found) {
        form = found
      },
    })
    const seen = () => {
      if (sheets !== undefined)
        return [`a workbook with ${sheets.map((sheet) => JSON.stringify(sheet)).join(', ')}`]
      return form === undefined ? [] : formWords(form)
    }
    try {
      const tables = (sheets ?? ['']).map((_, index) => table(index))
      await print(context, await proposeMapping(tables, name, seen))
    } finally {
      await close()
    }
  } catch (error) {
    if (error instanceof InputError) throw new CommandError(error.message)
    throw error
  }
}
