/** Measurements on arrival and on departure. */
import { field, type GuestField, medical } from './field.ts'
import { asIs } from './shown.ts'
import { booking } from './source.ts'
import { NUMBER, value } from './value-kinds.ts'

const stored = (name: string) => booking.json('medical', name, value.number)
const weight1 = stored('weight1')
const weight2 = stored('weight2')
const height = stored('height')

export const measurementFields: readonly GuestField[] = [
  measured('idealWeight', stored('idealWeight'), 'Ideal weight in kilograms.', 68),
  measured('idealCirc', stored('idealCirc'), 'Ideal circumference in centimetres.', 80),
  measured('weight1', weight1, 'Weight on arrival in kilograms.', 82.5),
  measured('weight2', weight2, 'Weight on departure in kilograms.', 80.1),
  measured('height', height, 'Height in centimetres.', 172),
  bodyMassIndex('bmi1', weight1, 'on arrival', 27.9),
  bodyMassIndex('bmi2', weight2, 'on departure', 27.1),
]

type Measurement = ReturnType<typeof stored>

function measured(name: string, stored: Measurement, description: string, example: number): GuestField {
  return asIs(name, stored, { ...medical('Measurements', description), example })
}

/** Kilograms and centimetres give kg/m² with one decimal (ruling 25). A recorded value takes precedence. */
function bodyMassIndex(name: string, weightThen: Measurement, when: string, example: number): GuestField {
  const recorded = stored(name)
  return field(name, {
    ...medical(
      'Measurements',
      `Body mass index ${when} in kg/m²; computed, one decimal, where it is not recorded.`,
    ),
    recordDescription: `Body mass index ${when} in kg/m².`,
    stored: recorded,
    schema: NUMBER,
    example,
    sources: [recorded, weightThen, height],
    show: (_, given, weight, tall) => {
      if (given !== null) return given
      if (typeof weight !== 'number' || typeof tall !== 'number' || tall <= 0) return null
      return Math.round((weight / (tall / 100) ** 2) * 10) / 10
    },
  })
}
