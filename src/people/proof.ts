import { refuse, type Refusal } from '../http/responses.ts';
import { decideProof, type ProofRequirements, type ProofFacts } from './decide-proof.ts';
import { apiMessage } from '../messages/api-message.ts';

export function proofRefusal(guarded: ProofRequirements, facts: ProofFacts): Refusal | null {
  switch (decideProof(guarded, facts)) {
    case 'go':
      return null;
    case 'proof_required':
      return refuse('proof_required', apiMessage('proof.confirm_your_identity_post_your'));
    case 'person_required':
      return refuse('person_required', apiMessage('proof.live_mode_only_signed_in_user'));
    case 'scope_missing':
      return refuse('permission_missing', apiMessage('proof.live_mode_api_key_needs', { liveKeys: guarded.liveKeys }));
  }
}
