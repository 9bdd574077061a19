# bash completion for jweave, made by 'jweave completion bash'
_jweave()
{
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command=weave i
	COMPREPLY=()
	if [[ $cur == = ]]; then
		cur=
	elif [[ $prev == = ]]; then
		prev=${COMP_WORDS[COMP_CWORD-2]}
	fi
	for ((i = 1; i < COMP_CWORD; i++)); do
		case ${COMP_WORDS[i]} in
		weave | list | explain | check | init | info | dump | verify | run | prv | report | score | ctl | presets | schema | completion | version | help)
			command=${COMP_WORDS[i]}
			break ;;
		[!-]*[./]*) break ;;
		esac
	done
	case $prev in
	--rules | -r)
		COMPREPLY=($(compgen -f -- "$cur"))
		compopt -o filenames 2>/dev/null
		return ;;
	--output | -o)
		COMPREPLY=($(compgen -f -- "$cur"))
		compopt -o filenames 2>/dev/null
		return ;;
	--jobs | -j)
		return ;;
	--against)
		COMPREPLY=($(compgen -f -- "$cur"))
		compopt -o filenames 2>/dev/null
		return ;;
	--lanes)
		return ;;
	--top)
		return ;;
	--by)
		COMPREPLY=($(compgen -W 'self total calls' -- "$cur"))
		return ;;
	--suggest)
		COMPREPLY=($(compgen -f -- "$cur"))
		compopt -o filenames 2>/dev/null
		return ;;
	--target)
		return ;;
	--pair-cost)
		return ;;
	--map)
		COMPREPLY=($(compgen -f -- "$cur"))
		compopt -o filenames 2>/dev/null
		return ;;
	--report)
		COMPREPLY=($(compgen -f -- "$cur"))
		compopt -o filenames 2>/dev/null
		return ;;
	--depfile)
		COMPREPLY=($(compgen -f -- "$cur"))
		compopt -o filenames 2>/dev/null
		return ;;
	--classpath)
		return ;;
	--nested)
		return ;;
	--runtime)
		COMPREPLY=($(compgen -W 'embed classpath none' -- "$cur"))
		return ;;
	--signed)
		COMPREPLY=($(compgen -W 'strip fail' -- "$cur"))
		return ;;
	--on-woven)
		COMPREPLY=($(compgen -W 'error skip' -- "$cur"))
		return ;;
	--compress)
		return ;;
	--color)
		COMPREPLY=($(compgen -W 'auto always never' -- "$cur"))
		return ;;
	esac
	if [[ $cur == -* ]]; then
		local options
		case $command in
		weave) options='--rules= --output= --jobs= --dry-run --no-guard --json --report= --depfile= --classpath= --jdk --nested= --huge --no-limits --runtime= --signed= --on-woven= --strict --fail-on-unmatched --full-map --compress= --quiet --verbose --color= --no-progress --help --version' ;;
		list) options='--rules= --no-guard --json --classpath= --jdk --nested= --no-limits --quiet --verbose --color= --no-progress --help --version' ;;
		explain) options='--rules= --no-guard --json --classpath= --jdk --nested= --no-limits --quiet --verbose --color= --no-progress --help --version' ;;
		check) options='--quiet --verbose --color= --no-progress --help --version' ;;
		init) options='--output= --nested= --no-limits --quiet --verbose --color= --no-progress --help --version' ;;
		info) options='--json --quiet --verbose --color= --no-progress --help --version' ;;
		dump) options='--no-limits --quiet --verbose --color= --no-progress --help --version' ;;
		verify) options='--against= --no-limits --quiet --verbose --color= --no-progress --help --version' ;;
		run) options='--rules= --no-guard --nested= --huge --clean --quiet --verbose --color= --no-progress --help --version' ;;
		prv) options='--output= --jobs= --force --gzip --lanes= --map= --json --quiet --verbose --color= --no-progress --help --version' ;;
		report) options='--jobs= --top= --by= --by-thread --map= --json --quiet --verbose --color= --no-progress --help --version' ;;
		score) options='--rules= --jobs= --top= --suggest= --target= --pair-cost= --map= --json --quiet --verbose --color= --no-progress --help --version' ;;
		ctl) options='--quiet --verbose --color= --no-progress --help --version' ;;
		presets) options='--quiet --verbose --color= --no-progress --help --version' ;;
		schema) options='--quiet --verbose --color= --no-progress --help --version' ;;
		completion) options='--quiet --verbose --color= --no-progress --help --version' ;;
		version) options='--quiet --verbose --color= --no-progress --help --version' ;;
		help) options='--quiet --verbose --color= --no-progress --help --version' ;;
		esac
		COMPREPLY=($(compgen -W "$options" -- "$cur"))
		[[ ${COMPREPLY[0]-} == *= ]] && compopt -o nospace 2>/dev/null
		return 0
	fi
	case $command in
	completion)
		COMPREPLY=($(compgen -W 'bash zsh' -- "$cur"))
		return ;;
	help)
		COMPREPLY=($(compgen -W 'weave list explain check init info dump verify run prv report score ctl presets schema completion version help' -- "$cur"))
		return ;;
	presets)
		COMPREPLY=($(compgen -W "$(jweave presets 2>/dev/null)" -- "$cur"))
		return ;;
	*)
		COMPREPLY=($(compgen -f -- "$cur"))
		compopt -o filenames 2>/dev/null
	esac
	((COMP_CWORD > 1)) && return
	local files=("${COMPREPLY[@]}")
	COMPREPLY=($(compgen -W 'weave list explain check init info dump verify run prv report score ctl presets schema completion version help' -- "$cur"))
	COMPREPLY+=("${files[@]}")
}
complete -F _jweave jweave
