/* Formats that are known by name: what they are, and what to take instead. */
#include <criterion/criterion.h>
#include <string.h>

#include "checkpoint/refused.h"

enum { NAMES_MAX_N = 6 };

Test(refused, folders_by_the_names_in_them)
{
	static const struct {
		const char *names[NAMES_MAX_N], *words; /* NULL: fine */
	} cases[] = {
		{{"config.json", "model.safetensors"}, NULL},
		{{"model.safetensors", "pytorch_model.bin", "consolidated.00.pth"}, NULL},
		{{"model.safetensors", "onnx/model.onnx"}, NULL},
		{{"README.md"}, NULL},
		{{"pytorch_model-00001-of-00002.bin", "config.json"}, "can run code and are never opened"},
		{{"consolidated.00.pth"}, "never opened"},
		{{"model.ckpt"}, "never opened"},
		{{"weights.pkl"}, "never opened"},
		{{"onnx/model_q4.onnx", "config.json"}, "an ONNX model"},
		{{"Model.mlpackage"}, "Core ML"},
		{{"weights.npz", "config.json"}, "an MLX model"},
		{{"openvino_model.xml", "openvino_model.bin"}, "OpenVINO"},
		{{"tf_model.h5"}, "Keras"},
		{{"flax_model.msgpack"}, "Flax"},
		{{"model.tflite"}, "TensorFlow Lite"},
		{{"rank0.engine"}, "TensorRT"},
		{{"adapter_config.json", "adapter_model.safetensors"}, "a LoRA adapter, which is not a model"},
		{{"model_index.json", "unet.safetensors"}, "makes pictures"},
		{{"params.json", "consolidated.safetensors", "tekken.json"}, "Mistral's own layout"},
		/* As they were published. */
		{{"README.md", "config.json", "model.safetensors.index.json", "output-00001-of-00007.safetensors",
	          "tokenizer.model"}, "an EXL2 model"},
		{{"config.json", "output.safetensors"}, "an EXL2 model"},
		{{"config.json", "gptq_model-4bit-128g.safetensors", "quantize_config.json"}, "quantised by GPTQ"},
		{{"config.json", "weights.00.safetensors", "weights.01.safetensors"}, "an MLX model"},
		{{".gitattributes", "config.json", "onnx", "quantize_config.json", "tokenizer.json"}, "an ONNX model"},
		{{"genai_config.json", "model.onnx", "model.onnx.data"}, "an ONNX model"},
		{{"config.json", "model.safetensors", "onnx", "original"}, NULL},
		{{"ggml-model-q4_0.bin"}, "a GGML file"},
		{{"params.json", "consolidated.00.pth", "tokenizer.model"}, "never opened"},
		{{"model-Q4_K_M.gguf", "config.json"}, "there is a GGUF file here already"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		size_t n = 0;
		const char *what;

		while (n < NAMES_MAX_N && cases[i].names[n])
			n++;
		what = refused_files(cases[i].names, n);
		cr_expect(cases[i].words ? what && strstr(what, cases[i].words) : !what, "%s: %s", cases[i].names[0],
		          what ? what : "nothing");
	}
}

Test(refused, ways_to_quantise_by_the_names_of_tensors)
{
	static const struct {
		const char *name, *words;
	} cases[] = {
		{"model.layers.0.self_attn.q_proj.weight", NULL},
		{"model.layers.0.self_attn.q_proj.bias", NULL},
		{"model.layers.0.mlp.down_proj.qweight", "GPTQ or AWQ"},
		{"model.layers.0.mlp.down_proj.g_idx", "GPTQ"},
		{"model.embed_tokens.biases", "an MLX model"},
		{"model.layers.0.mlp.down_proj.q_invperm", "EXL2"},
		{"model.layers.0.mlp.down_proj.trellis", "EXL3"},
		{"model.layers.0.mlp.down_proj.weight.absmax", "bitsandbytes"},
		{"base_model.model.model.layers.0.self_attn.q_proj.lora_A.weight", "a LoRA adapter"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *what = refused_tensor(cases[i].name);

		cr_expect(cases[i].words ? what && strstr(what, cases[i].words) : !what, "%s: %s", cases[i].name,
		          what ? what : "nothing");
	}
}

Test(refused, ways_to_quantise_by_config_json)
{
	static const struct {
		const char *config, *words;
	} cases[] = {
		{"{}", NULL},
		{"{\"quantization_config\":null}", NULL},
		{"{\"quantization_config\":{\"quant_method\":\"fp8\"}}", NULL},
		{"{\"quantization_config\":{\"quant_method\":\"mxfp4\"}}", NULL},
		{"{\"quantization_config\":{\"quant_method\":\"modelopt\",\"quant_algo\":\"FP8\"}}", NULL},
		{"{\"quantization_config\":{\"quant_method\":\"modelopt\",\"quant_algo\":\"NVFP4\"}}", "ModelOpt"},
		{"{\"quantization_config\":{\"quant_algo\":\"NVFP4\"}}", "ModelOpt"},
		{"{\"quantization_config\":{\"quant_method\":\"compressed-tensors\",\"format\":\"float-quantized\"}}", NULL},
		{"{\"quantization_config\":{\"quant_method\":\"compressed-tensors\",\"format\":\"pack-quantized\"}}", "packed integers"},
		{"{\"quantization_config\":{\"quant_method\":\"compressed-tensors\",\"format\":\"nvfp4-pack-quantized\"}}", "NVFP4"},
		{"{\"quantization_config\":{\"quant_method\":\"gptq\",\"bits\":4}}", "quantised by GPTQ"},
		{"{\"quantization_config\":{\"quant_method\":\"awq\"}}", "quantised by AWQ"},
		{"{\"quantization_config\":{\"quant_method\":\"exl2\"}}", "EXL2"},
		{"{\"quantization_config\":{\"quant_method\":\"exl3\"}}", "EXL3"},
		{"{\"quantization_config\":{\"load_in_4bit\":true}}", "bitsandbytes"},
		{"{\"quantization_config\":{\"quant_method\":\"hqq\"}}", "HQQ"},
		{"{\"quantization_config\":{\"quant_method\":\"of_tomorrow\"}}", "in a way that is not known here"},
		{"{\"quantization\":{\"group_size\":64,\"bits\":4}}", "an MLX model"},
		{"{\"peft_type\":\"LORA\"}", "a LoRA adapter"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct settings_tree *tree;
		struct error err;
		const char *what;

		cr_assert_eq(settings_tree_parse(&tree, "config.json", cases[i].config, strlen(cases[i].config), &err), STATUS_OK);
		what = refused_config(tree);
		cr_expect(cases[i].words ? what && strstr(what, cases[i].words) : !what, "%s: %s", cases[i].config,
		          what ? what : "nothing");
		settings_tree_free(tree);
	}
}
