/** The page Import: a file is chosen, looked at, checked, corrected and imported, through the intake port with a key of it. */
import { type ComponentChild, h } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { IntakeError, intakeKey, intakeUrl } from '../base/intake-port.ts'
import type { PageProps } from '../base/page.ts'
import { language, words } from '../base/signed-in.ts'
import { useTitle } from '../base/title.ts'
import { sayFailure } from './failure.ts'
import type { FileState, Overview } from './file-state.ts'
import { FileView } from './file-view.ts'
import { fileState, overview } from './intake.ts'
import { IntakeKeyForm } from './intake-key.ts'
import { Start } from './start.ts'

export function ImportPage(_: PageProps): ComponentChild {
  const t = words.value
  useTitle(t('importTitle'))
  if (intakeUrl() === undefined) return h(NoPort, null)
  if (intakeKey.value === undefined) return h(IntakeKeyForm, null)
  return h(Files, { key: intakeKey.value })
}

/** The page says which setting it needs, and does not look as if nothing could be imported. */
function NoPort(): ComponentChild {
  const t = words.value
  return h('div', { class: 'import' }, [
    h('h1', null, t('importTitle')),
    h('p', { class: 'say g2' }, [h('b', null, t('importNoPort')), ' ', t('importNoPortHow')]),
    h('p', { class: 'g1' }, h('code', { class: 'code' }, 'INTAKE_PORT=8082 sojourn serve')),
  ])
}

function Files(): ComponentChild {
  const [about, setAbout] = useState<Overview>()
  const [file, setFile] = useState<FileState>()
  const [failure, setFailure] = useState('')
  const refresh = async (isFirst = false) => {
    try {
      const found = await overview()
      // Shown together with the rest: a form that another view replaces loses what was dropped on it.
      if (isFirst && found.file === 'own') setFile(await fileState().catch(() => undefined))
      setAbout(found)
      setFailure('')
    } catch (error) {
      setFailure(sayFailure(error))
    }
  }
  // What is asked, and what fields are called, is in the language of the requests.
  useEffect(() => void refresh(true), [language.value])
  useFollowed(file, setFile, setFailure)
  const t = words.value
  const isDone = file?.phase === 'done'
  useEffect(() => {
    if (isDone) void refresh()
  }, [isDone])
  return h('div', { class: 'import' }, [
    failure !== '' && h('p', { class: 'say bad', role: 'alert' }, h('b', null, failure)),
    about === undefined && failure === '' && h('p', { class: 'soft', role: 'status' }, t('loading')),
    about !== undefined &&
      (file === undefined
        ? h(Start, { about, onFile: setFile })
        : h(FileView, {
            about,
            file,
            onState: setFile,
            onAnother: () => {
              setFile(undefined)
              void refresh()
            },
          })),
  ])
}

const AGAIN_MS = 5000

/** Asks for the state until there is nothing under way. */
function useFollowed(
  file: FileState | undefined,
  setFile: (file: FileState | undefined) => void,
  setFailure: (text: string) => void,
): void {
  const version = file?.version
  const isUnderWay = file !== undefined && ['reading', 'checking', 'importing'].includes(file.phase)
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    if (!isUnderWay || version === undefined) return
    const ends = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    fileState(version, ends.signal).then(
      (next) => {
        setFailure('')
        setFile(next)
      },
      (error) => {
        if (ends.signal.aborted) return
        if (error instanceof IntakeError && error.status === 404) setFile(undefined)
        else {
          setFailure(sayFailure(error))
          // What is under way goes on without the page.
          timer = setTimeout(() => setAttempt(attempt + 1), AGAIN_MS)
        }
      },
    )
    return () => {
      ends.abort()
      clearTimeout(timer)
    }
  }, [version, isUnderWay, attempt])
}
