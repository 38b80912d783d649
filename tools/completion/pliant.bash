# Completion of the command pliant for bash.
_pliant() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]} options=
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W "new run view bench info mesh sweep export --help --version" -- "$current"))
    return
  fi
  case $command in
    new) options="--help" ;;
    run) options="--set --mesh-limit --search --until --threads --record --csv --signals --json --png --sensors --colour --save --load --from --strict --quiet --help" ;;
    bench) options="--scene --threads --repeat --full --states --json --quiet --help" ;;
    view) options="--port --bind --paused --speed --threads --set --mesh-limit --search --help" ;;
    info) options="--scale --set --mesh-limit --search --strict --json --scenes --help" ;;
    mesh) options="--edge --scale --max-tets --mesh-limit --as-is --help" ;;
    sweep) options="--vary --measure --over --out --until --load --threads --ray --set --mesh-limit --search --quiet --help" ;;
    export) options="--vtu --csv --signals --points --obj --ply --png --gif --time --frame --every --list --colour --range --size --view --zoom --contacts --clock --no-edges --no-legend --threads --help" ;;
  esac
  case $previous in
    --colour) COMPREPLY=($(compgen -W "body displacement speed strain von_mises pressure" -- "$current")); return ;;
    --record | --csv | --json | --png | --sensors | --save | --load | --gif | --vtu | --obj | --ply) COMPREPLY=($(compgen -f -- "$current")); return ;;
    --until | --scene | --repeat | --threads | --port | --bind | --speed | --signals | --scale | --edge | --max-tets | --set | --time | --frame | --every | --range | --size | --view | --zoom) return ;;
  esac
  if [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
    return
  fi
  if [[ $command == new && $COMP_CWORD == 2 ]]; then
    COMPREPLY=($(compgen -W "drop press grasp robot" -- "$current"))
    return
  fi
  COMPREPLY=($(compgen -f -- "$current"))
  if [[ $command == run || $command == view || $command == info ]]; then
    COMPREPLY+=($(compgen -W "$("${COMP_WORDS[0]}" info --scenes 2>/dev/null)" -- "$current"))
  fi
}
complete -o filenames -F _pliant pliant
