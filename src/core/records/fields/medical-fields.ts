/** What the guest wrote about their health, and what the doctors found. */
import { type GuestField, medical } from './field.ts'
import { asIs, named } from './shown.ts'
import { booking } from './source.ts'
import { value } from './value-kinds.ts'

export const formFields: readonly GuestField[] = [
  form('medicalConditions', 'Medical conditions as the guest wrote them.', 'Mild asthma'),
  form('observations', 'Remarks.', 'Sleeps lightly'),
  form('mobility', 'Mobility.', 'Walks unaided'),
]

export const medicalFields: readonly GuestField[] = [
  letter('ultrasoundNotes', 'Notes on the ultrasound.'),
  letter('ultrasoundStr', 'The ultrasound in words.'),
  letter('psychiatricExam', 'Psychiatric exam.'),
  letter('diagnoses', 'Diagnoses.'),
  letter('customRec', 'Recommendations in the doctor’s own words.'),
  letter('ekg', 'Electrocardiogram.'),
  named(
    'medicalLetter.recommendationsIds',
    booking.json('medical', 'medicalLetter.recommendationsIds', value.terms('recommendation')),
    {
      ...medical('Medical documentation', 'Names of the recommendations.'),
      recordDescription: 'The recommendations.',
      example: [['Drink more water'], ['water']],
    },
  ),
  asIs('medicalData.notes', booking.json('medical', 'medicalData.notes', value.longText), {
    ...medical('Medical documentation', 'Medical notes.'),
    example: 'Check in a week',
  }),
]

function form(name: string, description: string, example: string): GuestField {
  return asIs(`formData.${name}`, booking.json('form', name, value.longText), {
    ...medical('Intake forms', description),
    example,
  })
}

function letter(name: string, description: string): GuestField {
  return asIs(`medicalLetter.${name}`, booking.json('medical', `medicalLetter.${name}`, value.longText), {
    ...medical('Medical documentation', description),
    example: 'No findings',
  })
}
